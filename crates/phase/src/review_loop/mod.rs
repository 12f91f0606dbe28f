//! Review ⇄ simplify: an agent calls tools, the machine says what may follow (seed 003; D25–D28).
//!
//! One machine is one loop: [`State::Idle`] → review ⇄ simplify → [`State::Done`] through one of four
//! gates. Nothing an agent says moves it alone: what it claims of files is held against the tree, and
//! what it claims of tests is run again. The machine asks for both by effects, and answers the call
//! when their events have come.
//!
//! Four rules differ from the reference implementation, and are marked in the tests: `clean` with
//! findings is refused, `clean` needs a passing test and the tree that was shown, the last pass is still
//! reviewed before the budget is spent, and a repeated call gets its first answer (D25–D27).

mod call;
mod contract;
mod machine;
mod objection;
mod state;
mod status;
mod testing;
mod weighing;
mod wire;
mod words;

#[cfg(test)]
mod tests;

pub use call::{Answer, Ask, Asked, Opinion, Tool};
pub use contract::{
    Call, Findings, ReviewCall, SimplifyCall, StartCall, StatusCall, StopCall, call_schema,
};
pub use machine::{MaxRounds, NoRounds, ReviewLoop, TEST_STEP};
pub use objection::{Objection, refuse_unreadable};
pub use state::{Gate, Phase, Progress, Seen, Stage, State, Tested, Verification, Weighed};
pub use status::{HunkShown, LoopStatus, Standing, TestShown, status_schema};
pub use wire::{Unreadable, read_call};
pub use words::{lines, message};
