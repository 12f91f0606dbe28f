//! How much of a sample is worth reading.

use std::fmt;

use super::verdicts::{Judged, Verdict};

/// How much of the sample must be worth reading, in percent.
pub(super) const TARGET: usize = 85;

/// The verdicts of some findings, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub n_worth: usize,
    pub n_not: usize,
    pub n_open: usize,
}

impl Share {
    pub(super) fn of<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> Self {
        let mut share = Self::default();
        for Judged { verdict, .. } in judged {
            match verdict {
                Verdict::WorthReading => share.n_worth += 1,
                Verdict::NotWorthReading => share.n_not += 1,
                Verdict::Open => share.n_open += 1,
            }
        }
        share
    }

    pub(super) fn n_drawn(self) -> usize {
        self.n_worth + self.n_not + self.n_open
    }

    /// Whether enough of the judged findings are worth reading; open ones count for neither side.
    pub(super) fn is_enough(self) -> bool {
        self.n_worth * 100 >= (self.n_worth + self.n_not) * TARGET
    }
}

/// In whole percent, rounded down.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_worth, n_not, n_open } = self;
        let n_judged = n_worth + n_not;
        let percent = (n_worth * 100).checked_div(n_judged);
        let percent = percent.map_or(String::new(), |percent| format!(", {percent} %"));
        write!(f, "{n_worth} of {n_judged} judged are worth reading{percent}; {n_open} open")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_counts_for_neither_side() {
        let check = |n_worth, n_not, n_open, is_enough, shown: &str| {
            let share = Share { n_worth, n_not, n_open };
            assert_eq!((share.is_enough(), share.to_string().as_str()), (is_enough, shown));
        };
        check(85, 15, 0, true, "85 of 100 judged are worth reading, 85 %; 0 open");
        check(84, 15, 1, false, "84 of 99 judged are worth reading, 84 %; 1 open");
        check(0, 0, 3, true, "0 of 0 judged are worth reading; 3 open");
    }
}
