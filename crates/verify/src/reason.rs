//! Why a finding counts as fixed or not, in words that can be put to an agent again (D16).

use tribunal_finding::Place;

use crate::{Change, ChangeKind, Evidence, Reach};

/// Why a claimed file is no proof.
pub(crate) fn why_phantom(file: &str, change: Option<&Change>, all: &Evidence) -> String {
    match change {
        Some(change) if change.kind == ChangeKind::ModeOnly => {
            format!("only the mode of {} changed", change.path)
        }
        Some(change) => format!("only line ends of {} changed", change.path),
        None => format!("{} did not change; {}", file.trim(), what_changed(all)),
    }
}

/// Names a few changed files, so that the agent sees what the repository shows.
fn what_changed(all: &Evidence) -> String {
    const NAMED: usize = 5;
    if all.is_empty() {
        return "nothing did".to_owned();
    }
    let names: Vec<String> =
        all.changes.iter().take(NAMED).map(|change| change.path.to_string()).collect();
    let more = match all.changes.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("changed: {}{more}", names.join(", "))
}

/// What the repository shows of a fix, and how near it comes to the finding.
pub(crate) fn why_fixed(
    evidence: &[Change],
    place: Option<&Place>,
    reach: Option<Reach>,
) -> String {
    let mut text = evidence.iter().map(describe).collect::<Vec<_>>().join("; ");
    match (place, reach) {
        (Some(place), Some(Reach::OtherFile)) => {
            text.push_str(&format!("; the finding is about {}", place.file));
        }
        (Some(Place { line: Some(line), .. }), Some(Reach::File { distance })) => {
            text.push_str(&format!("; the nearest change is {distance} lines from line {line}"));
        }
        (_, Some(_) | None) => {}
    }
    text
}

fn describe(change: &Change) -> String {
    let mut text = format!("{}: {}, {}", change.path, change.kind.word(), change.presence.word());
    if let Some(was) = &change.was {
        text.push_str(&format!(", was {was}"));
    }
    if let (Some(first), Some(last)) = (change.hunks.first(), change.hunks.last()) {
        let end = last.after.start + last.after.count.saturating_sub(1);
        text.push_str(&format!(", lines {} to {end}", first.after.start.max(1)));
    }
    text
}
