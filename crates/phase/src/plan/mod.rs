//! The machine that runs the steps of a recipe, one after another, groups at once, loops bounded.
//!
//! Frames of the audit cycle lie on a stack: the next cycle runs on top of the present one, with the
//! same run id, journal and lock (D19).

mod children;
mod definition;
mod machine;
mod pause;
mod reading;
mod schedule;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod tree;

pub use definition::{Misorder, Node, Plan, Repeat, Step, Work};
pub use state::{At, Clock, Frame, Running, Spot, State};
pub use task::{Children, Stage, Task, TaskProgress, Then, Tree, Wave};
