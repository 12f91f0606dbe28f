//! What a loop is held to.

use tribunal_phase::Millis;
use tribunal_phase::review_loop::MaxRounds;

/// What loops are held to where their start says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopLimits {
    /// Simplify passes.
    pub max_rounds: MaxRounds,
    /// The longest that the test command may run.
    pub test_timeout: Millis,
}

impl Default for LoopLimits {
    /// Three passes (seed 003), ten minutes.
    fn default() -> Self {
        Self { max_rounds: MaxRounds::default(), test_timeout: 600_000 }
    }
}
