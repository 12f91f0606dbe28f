//! The only starter of processes: agents and commands, supervised to their end.
//!
//! A caller states an [`Invocation`], and [`run`] (or [`start`] and [`Running::finish`], for a caller
//! that must know when the child is there) gives a [`Reply`]: what it said, how it ended and which
//! [`Rung`] of the ladder ended it. Knows nothing of audits, recipes or runs.
//!
//! Guarantees, on every exit path and also when a future is dropped (D42): the child sees the stated
//! environment and nothing else; its input is given and closed; both its pipes are drained; nothing
//! it started outlives the call. For Linux 5.4 or later: what is left of a child is found in `/proc`
//! and held by process descriptors.

mod agents;
mod cancel;
mod capture;
mod environment;
mod invocation;
mod ladder;
mod launch;
mod leaders;
mod marker;
mod pipes;
mod process_table;
mod program;
mod reply;
mod supervision;
mod sweep;

pub use agents::{
    AGENTS, AgentRow, AnswerPlace, Argument, Asking, RuleChoice, Slot, UnknownAgent, When, agent,
};
pub use cancel::{Cancel, Canceller};
pub use environment::{Environment, Identity};
pub use invocation::{Invocation, Limits, Stdin};
pub use launch::{LaunchError, LaunchErrorKind, Running, run, run_unspooled, start};
pub use marker::Marker;
pub use program::find_program;
pub use reply::{Captured, Ended, Reply, Rung};
pub use sweep::{Swept, become_subreaper, marked_runs, sweep};
