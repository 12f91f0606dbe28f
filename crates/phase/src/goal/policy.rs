//! The limits of a goal loop.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// When the loop stops, and what it puts up with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Runs of the check, at most.
    pub max_cycles: NonZeroU32,
    /// How often the same failure is seen before the loop stops.
    pub same_failure: NonZeroU32,
    /// A check that looked at nothing counts as a pass (`--allow-empty`, D22).
    pub allow_empty: bool,
    /// A fix that is refused is put back, and its worker told once (`--strict`, D24).
    pub strict: bool,
    /// The tree is never put back (`--keep-tree`, D43).
    pub keep_tree: bool,
}

const MAX_CYCLES: NonZeroU32 = NonZeroU32::new(5).expect("five is not zero");
const SAME_FAILURE: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");

impl Default for Policy {
    /// Five cycles, the same failure three times (seed 001).
    fn default() -> Self {
        Self {
            max_cycles: MAX_CYCLES,
            same_failure: SAME_FAILURE,
            allow_empty: false,
            strict: false,
            keep_tree: false,
        }
    }
}
