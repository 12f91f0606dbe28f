//! Waiting for something to become true.

use std::thread;
use std::time::{Duration, Instant};

const STEP: Duration = Duration::from_millis(2);

/// Polls `condition` until it holds.
///
/// # Panics
///
/// When it does not hold within `deadline`; `what` names what was waited for.
#[track_caller]
pub fn wait_until(mut condition: impl FnMut() -> bool, deadline: Duration, what: &str) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < deadline, "waited {deadline:?} in vain: {what}");
        thread::sleep(STEP);
    }
}
