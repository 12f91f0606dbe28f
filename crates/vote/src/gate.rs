//! The gate before the fix: where nothing could be read, nothing is decided.

use std::fmt;

use crate::Standing;

/// Ends the audit: no validator has a usable ballot, and at least one did say something, or failed
/// (D10). Seed 000, "All-unparseable fatal gate".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Positions, from 1, of those whose answer could not be read.
    pub positions: Vec<usize>,
}

impl Gate {
    /// The gate, where it is shut.
    pub(crate) fn of(standings: &[Standing]) -> Option<Self> {
        let is_usable = |standing: &Standing| matches!(standing, Standing::Usable { .. });
        if standings.iter().any(is_usable) {
            return None;
        }
        let unreadable = standings.iter().zip(1..).filter(|(standing, _)| standing.is_unreadable());
        let positions: Vec<usize> = unreadable.map(|(_, position)| position).collect();
        (!positions.is_empty()).then_some(Self { positions })
    }
}

impl std::error::Error for Gate {}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no validator gave a ballot; unreadable:")?;
        self.positions.iter().try_for_each(|position| write!(f, " v{position}"))
    }
}
