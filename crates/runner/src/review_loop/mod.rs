//! Review ⇄ simplify, driven from outside: an agent or a script calls, the machine answers (D25–D28).
//!
//! Each call is whole: it takes the locks, folds the journal, asks the machine, answers and lets go. So
//! the command line and any number of servers can work on one loop, and a process that is killed leaves
//! nothing but its journal.

mod begin;
mod claims;
mod definition;
mod find;
mod fold;
mod hang_up;
mod limits;
mod loops;
mod patience;
mod session;
mod show;
mod testing;
mod trail;

pub use hang_up::HangUp;
pub use limits::LoopLimits;
pub use loops::{Answered, Loops, MakeMachine};
pub use trail::{Trail, trail};
pub(crate) use trail::{is_no_loop, run_line};
