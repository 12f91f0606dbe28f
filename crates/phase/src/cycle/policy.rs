//! The limits of the cycle, checked once.

/// How many cycles run, and whether all that was confirmed must be dealt with (D17, D19).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    min: u32,
    max: u32,
    fix_all: bool,
}

/// Limits that cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// A limit of zero would mean that nothing runs, or that nothing stops it.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// The least is more than the most.
    #[error("min_cycles ({min}) is more than max_cycles ({max})")]
    MinOverMax {
        /// `min_cycles`.
        min: u32,
        /// `max_cycles`.
        max: u32,
    },
}

impl Policy {
    /// Checks the limits.
    ///
    /// # Errors
    /// Zero, or a minimum above the maximum.
    pub fn new(min: u32, max: u32, fix_all: bool) -> Result<Self, PolicyError> {
        match (min, max) {
            (0, _) => Err(PolicyError::Zero("min_cycles")),
            (_, 0) => Err(PolicyError::Zero("max_cycles")),
            _ if min > max => Err(PolicyError::MinOverMax { min, max }),
            _ => Ok(Self { min, max, fix_all }),
        }
    }

    /// Cycles that run in any case.
    pub fn min(self) -> u32 {
        self.min
    }

    /// Cycles after which the run stops in any case.
    pub fn max(self) -> u32 {
        self.max
    }

    /// Whether findings that nobody accounted for keep the loop going.
    pub fn fix_all(self) -> bool {
        self.fix_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_cannot_hold_are_errors() {
        assert!(Policy::new(1, 1, true).is_ok());
        assert_eq!(Policy::new(0, 3, true), Err(PolicyError::Zero("min_cycles")));
        assert_eq!(Policy::new(1, 0, true), Err(PolicyError::Zero("max_cycles")));
        assert_eq!(Policy::new(4, 3, true), Err(PolicyError::MinOverMax { min: 4, max: 3 }));
    }
}
