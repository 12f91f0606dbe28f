//! Recipes: steps, expressions, templates and values that never become code (D36–D39).
//!
//! Pure: texts in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod datum;
mod expr;
mod ownership;
mod problem;
mod recipe;
mod scope;
mod script;
mod template;
mod wire;

pub use datum::{Datum, Fields, TextCondition};
pub use expr::{Expr, ExprError};
pub use problem::{Problem, ProblemKind, Strictness};
pub use recipe::{
    Access, Binding, MachineKind, Max, Node, Output, Recipe, Recursion, Repeat, Step, StepKind,
    Variable,
};
pub use scope::Scope;
pub use script::{Bound, Script, ScriptFault, VALUES_VARIABLE};
pub use template::{Part, Path, Template};
pub use wire::NotJson;
