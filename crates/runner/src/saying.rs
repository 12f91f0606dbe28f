//! What a machine has to say, in words.

use tribunal_phase::{Saying, SnapshotId};

use crate::tree::place;

/// The snapshot that a saying is about.
pub(crate) fn snapshot(saying: &Saying) -> SnapshotId {
    match saying {
        Saying::WroteInReadOnlyRole { kept, .. } | Saying::WriteUndone { kept, .. } => *kept,
        Saying::TreeMovedByUser { snapshot } => *snapshot,
    }
}

/// The line that people are told; `keeps` says that the tree is never put back (`--keep-tree`).
pub(crate) fn words(saying: &Saying, run: &str, keeps: bool) -> String {
    let place = place(run, snapshot(saying));
    let stays = if keeps { "stays as it is (--keep-tree)" } else { "is put back" };
    match saying {
        Saying::WroteInReadOnlyRole { calls, again, .. } => {
            let calls: Vec<_> = calls.iter().map(ToString::to_string).collect();
            format!(
                "{} changed the tree in a read-only role; what they left is kept as {place}, the tree \
                 {stays}, {}",
                calls.join(", "),
                if *again { "each is asked again alone" } else { "the answer does not count" }
            )
        }
        Saying::TreeMovedByUser { .. } => format!(
            "the tree changed while no agent ran; nothing is put back, the run goes on with {place}"
        ),
        Saying::WriteUndone { call, .. } => {
            format!("{call} did not end well; what it left is kept as {place}, the tree {stays}")
        }
    }
}

/// How many names one message carries.
const NAMED: usize = 10;

/// The first names of a list, and how many more there are.
pub(crate) fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
