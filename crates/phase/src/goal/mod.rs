//! The machine of the goal loop: check, diagnose, fix, until the check passes (`UltraQA`; D21, D22, D24).
//!
//! A cycle is one run of the check. At most `max_cycles` of them run, and no fix is left without a
//! check: after the last one nobody is asked any more. The same failure, in total and not in a row,
//! ends the loop before somebody is asked to mend it once more. What the environment fails in, and a
//! check that looked at nothing, are neither pass nor failure.
//!
//! The end is proven: the tree is looked at before and after each check, and only a check that left
//! alone the tree it passed on completes the goal.

mod at;
mod calls;
mod deciding;
mod ending;
mod learned;
mod line;
mod machine;
mod pause;
mod policy;
mod state;
#[cfg(test)]
mod tests;
mod tree;

pub use at::{At, Due, Launch, Open, Then};
pub use ending::Ending;
pub use learned::{Checked, Learned};
pub use line::{Doing, Line, Progress};
pub use machine::{CHECK, DIAGNOSE, FIX, Goal};
pub use policy::Policy;
pub use state::{Run, State, Verified};
