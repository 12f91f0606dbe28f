//! Files that break a gate for a reason. One that is no longer needed is a failure too.

/// A file, the gate it may break, and why.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exception {
    pub path: &'static str,
    pub gate: &'static str,
    pub reason: &'static str,
}

pub(super) const EXCEPTIONS: &[Exception] = &[];
