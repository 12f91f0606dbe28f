//! Recipes: steps, expressions, templates and values that never become code (D36–D39).
//!
//! Pure: texts in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod datum;
mod expr;
mod load;
mod ownership;
mod problem;
mod recipe;
mod scope;
mod script;
mod template;
mod wire;
mod yaml;

pub use datum::{Datum, Fields, TextCondition};
pub use expr::{Expr, ExprError};
pub use load::{Loaded, Source, load};
pub use ownership::{ContextNameError, SETTINGS};
pub use problem::{Problem, ProblemKind, Strictness};
pub use recipe::{
    Access, Binding, MachineKind, Max, Node, Output, Recipe, Recursion, Repeat, Step, StepKind,
    Variable,
};
pub use scope::Scope;
pub use script::{Bound, Script, ScriptFault, VALUES_VARIABLE};
pub use template::{Part, Path, Template};
pub use wire::NotJson;
pub use yaml::read_yaml;
