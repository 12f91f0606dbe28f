//! Pure machines that decide what an audit does next.
//!
//! A machine takes a state and an event and gives the next state and the effects that are due, or a
//! [`Refusal`]. It knows no clock, no files, no processes and no async: whoever drives it performs
//! the effects and reports their ends as events (DESIGN §3).
//!
//! - [`plan`] schedules the steps of a recipe;
//! - [`goal`] lets check, diagnosis and fix follow each other until the check passes;
//! - [`review_loop`] lets review and simplification alternate until a gate closes the loop;
//! - [`cycle`] schedules nothing: it says which fact may follow which, and whether another cycle is due.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod cycle;
mod effect;
mod event;
mod fact;
mod fault;
pub mod goal;
mod ids;
mod machine;
mod outcome;
pub mod plan;
mod refusal;
pub mod review_loop;
mod role;

pub use effect::{Effect, Native, Saying, SnapReason};
pub use event::{Done, Event, Guarded, Heard, Millis, Usage, What};
pub use fact::{Balloted, Fact, FactKind, Rated, Sought};
pub use fault::Fault;
pub use ids::{ArtifactId, BadCallId, CallId, FrameId, RunId, SnapshotId, StepId, Timer, TreeId};
pub use machine::Machine;
pub use outcome::{Failure, Outcome, Pause};
pub use refusal::Refusal;
pub use role::{Access, Contract, Role, UnknownRole};
