//! The review loop by command line: gates, refusals, evidence, breaks.

mod breaks;
mod evidence;
mod gates;
pub(crate) mod ground;
mod hooks;
mod refusals;
