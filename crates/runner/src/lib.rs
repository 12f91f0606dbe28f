//! Drives a definition and a machine; every command is a function here.
//!
//! The driver has three beats: something happened → the machine decides → it is acted on. Order is
//! written in recipes, rules in the rule crates; here is only what connects them to a tree, to agents
//! and to a journal.

mod agents;
mod answers;
mod apply;
mod checks;
mod child;
mod compile;
mod compute;
mod context;
mod definition;
mod diff;
mod drive;
mod ending;
mod error;
mod figures;
mod fold;
mod frames;
mod git_program;
mod hearing;
mod inspector;
mod isolation;
mod launch;
mod library;
mod limits;
mod memory;
mod mended;
mod native;
mod notice;
mod own_folders;
mod perform;
mod place_fault;
mod prepare;
mod prompt;
mod proof;
pub mod review_loop;
mod roles;
mod rules;
mod run;
mod runs;
mod saying;
mod signals;
pub mod single;
mod surroundings;
mod target;
mod trail;
mod tree;
mod trouble;
mod undo;
mod variables;
mod view;

pub use agents::{Agent, Agents, known_programs};
pub use apply::{ApplyRequest, apply};
pub use checks::{Detected, detect_checks, read_check};
pub use compile::CompileError;
pub use definition::Options;
pub use diff::diff;
pub use ending::{Ending, OpenFinding};
pub use error::RunError;
pub use inspector::{InspectorOptions, Linter, RuleFile, RuleFolder};
pub use library::{Library, LibraryError, RecipeText, read_rules};
pub use native::{AddedStep, AddedSteps, StepError};
pub use notice::Notice;
pub use place_fault::PlaceFault;
pub use prepare::adopt_orphans;
pub use proof::CheckOptions;
pub use rules::{AnswerEnd, RulesAnswer, RulesQuestion, RulesRequest, ask_rules};
pub use run::{Checked, RunRequest, check, run};
pub use runs::{RunLine, list, resume, show};
pub use surroundings::Surroundings;
pub use target::{Target, locate};
pub use trouble::{JournalTrouble, WorktreeTrouble};
pub use undo::{UndoRequest, undo};
pub use variables::{VariableError, VariableFault};
