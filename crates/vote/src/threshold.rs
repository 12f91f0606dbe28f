//! How many validators must agree.

/// The number of yes votes that confirm a finding, out of a number of validators (D7).
///
/// Between one and all of them, and never lowered because one is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    agree: u32,
    validators: u32,
}

/// A threshold that no vote could be counted against.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThresholdError {
    /// Not written as a decimal integer.
    #[error("the threshold {} is no whole number", tribunal_finding::quote(.0))]
    NotANumber(String),
    /// Nobody need agree, or more than there are.
    #[error("the threshold {agree} is not between 1 and the number of validators ({validators})")]
    OutOfRange {
        /// What was asked for.
        agree: u32,
        /// How many validators there are.
        validators: u32,
    },
}

impl Threshold {
    /// Asks for `agree` yes votes of `validators`.
    ///
    /// # Errors
    /// [`ThresholdError::OutOfRange`] unless `agree` is within `1..=validators`.
    pub fn new(agree: u32, validators: u32) -> Result<Self, ThresholdError> {
        if (1..=validators).contains(&agree) {
            Ok(Self { agree, validators })
        } else {
            Err(ThresholdError::OutOfRange { agree, validators })
        }
    }

    /// Reads a threshold as it stands in a setting: decimal digits, nothing else.
    ///
    /// # Errors
    /// [`ThresholdError`] for any other text, and as in [`Threshold::new`].
    pub fn parse(text: &str, validators: u32) -> Result<Self, ThresholdError> {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let agree = text.parse().ok().filter(|_| is_number);
        Self::new(agree.ok_or_else(|| ThresholdError::NotANumber(text.to_owned()))?, validators)
    }

    /// The number of yes votes asked for.
    pub fn agree(self) -> u32 {
        self.agree
    }

    /// The number of validators.
    pub fn validators(self) -> u32 {
        self.validators
    }

    /// The same number of yes votes, out of at least this many validators.
    pub(crate) fn out_of_at_least(self, validators: u32) -> Self {
        Self { validators: self.validators.max(validators), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<u32, &str>) {
        let threshold = Threshold::parse(text, 3);
        let shown = threshold.map(Threshold::agree).map_err(|error| error.to_string());
        assert_eq!(shown, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn a_threshold_is_a_whole_number_of_the_validators() {
        check("1", Ok(1));
        check("3", Ok(3));
        check("0", Err("the threshold 0 is not between 1 and the number of validators (3)"));
        check("4", Err("the threshold 4 is not between 1 and the number of validators (3)"));
        for text in ["abc", "", " 2", "2.0", "+2", "-1", "2e0", "99999999999"] {
            check(
                text,
                Err(&format!("the threshold {} is no whole number", tribunal_finding::quote(text))),
            );
        }
        assert!(Threshold::new(1, 0).is_err());
    }
}
