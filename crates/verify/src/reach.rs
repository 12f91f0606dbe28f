//! How near a change comes to what a finding is about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tribunal_finding::Place;

use crate::claimed_file::ByFile;
use crate::{Change, ChangeKind, Hunk};

/// How near the claimed changes come to the finding's place; no verdict hangs on it, since a fault
/// may well be mended elsewhere than where it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// A hunk holds the finding's line, or one of the three lines before and after it.
    Line,
    /// The finding's file changed, and the nearest hunk lies further away.
    File {
        /// How many lines.
        distance: u32,
    },
    /// The finding's file changed as a whole: it is new, gone, renamed, or has no lines to compare;
    /// or the finding is about no line.
    WholeFile,
    /// Only other files changed.
    OtherFile,
}

/// Hunks this near to a line show it in a diff, with the three lines of context that diffs have.
const NEIGHBOURS: u32 = 3;

impl Reach {
    /// `None` without any change.
    pub(crate) fn of(place: &Place, seen: &[&Change], by_file: &ByFile<'_>) -> Option<Self> {
        if seen.is_empty() {
            return None;
        }
        let there = by_file.find(&place.file).filter(|there| seen.contains(there));
        let Some(change) = there else { return Some(Self::OtherFile) };
        let nearest = match (change.kind, place.line) {
            (ChangeKind::Modified | ChangeKind::Renamed, Some(line)) => {
                change.hunks.iter().map(|hunk| distance(hunk, line)).min()
            }
            (ChangeKind::Added | ChangeKind::Deleted | ChangeKind::ModeOnly, _) | (_, None) => None,
        };
        Some(match nearest {
            None => Self::WholeFile,
            Some(distance) if distance <= NEIGHBOURS => Self::Line,
            Some(distance) => Self::File { distance },
        })
    }
}

/// Lines between a hunk and a line of before the fix, which is when findings are found. An insertion
/// touches the lines on both sides of it.
fn distance(hunk: &Hunk, line: u32) -> u32 {
    let (start, count) = (hunk.before.start, hunk.before.count);
    let last = if count == 0 { start.saturating_add(1) } else { start.saturating_add(count - 1) };
    if line < start { start - line } else { line.saturating_sub(last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineRange;

    #[test]
    fn a_distance_is_counted_in_lines_of_before() {
        for (start, count, line, expected) in [
            (10, 3, 9, 1),
            (10, 3, 10, 0),
            (10, 3, 12, 0),
            (10, 3, 13, 1),
            (10, 1, 40, 30),
            (10, 0, 10, 0),
            (10, 0, 11, 0),
            (10, 0, 9, 1),
            (10, 0, 12, 1),
            (0, 0, 1, 0),
            (0, 0, 5, 4),
            (10, 3, u32::MAX, u32::MAX - 12),
        ] {
            let before = LineRange { start, count };
            let hunk = Hunk { before, after: LineRange { start: 900, count: 1 } };
            assert_eq!(distance(&hunk, line), expected, "{start},{count} {line}");
        }
    }
}
