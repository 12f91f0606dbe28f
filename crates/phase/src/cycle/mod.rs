//! The rules of one audit cycle: which fact may follow which, and whether another cycle is due.
//!
//! Schedules nothing. No tally before ballots, no fix before tally and snapshot, no decision before a
//! judgement (DESIGN §3, flow 3).

mod admit;
mod decide;
mod order;
mod policy;
mod state;

pub use decide::{Counts, Decision, Reason, decide, decide_on};
pub use order::{Station, follow};
pub use policy::{Policy, PolicyError};
pub use state::{Found, Judged, Progress, State, Tallied};
