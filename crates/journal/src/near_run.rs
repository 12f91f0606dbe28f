//! Which run may have been meant by a name that no run has.

use tribunal_phase::RunId;

/// Shorter texts could mean anything.
const SHORTEST: usize = 4;
/// Mistyped characters that are forgiven.
const SLIPS: usize = 2;

/// The first run with the text inside of its name, else the first whose name begins almost so.
///
/// `runs` are newest first.
pub(crate) fn near_run<'r>(text: &str, runs: &'r [RunId]) -> Option<&'r RunId> {
    let text = text.trim().to_ascii_lowercase();
    if text.len() < SHORTEST {
        return None;
    }
    let inside = runs.iter().find(|run| run.as_str().to_ascii_lowercase().contains(&text));
    inside.or_else(|| runs.iter().find(|run| begins_almost(run.as_str(), &text)))
}

/// Whether a name begins like the text, but for a few characters that were left out, added or changed.
fn begins_almost(name: &str, text: &str) -> bool {
    let (name, text) = (name.as_bytes(), text.as_bytes());
    // The distances of the text read so far from every beginning of the name.
    let mut row: Vec<usize> = (0..=name.len().min(text.len() + SLIPS)).collect();
    for (index, letter) in text.iter().enumerate() {
        let mut before = row[0];
        row[0] = index + 1;
        for at in 1..row.len() {
            let above = row[at];
            let changed = before + usize::from(name[at - 1] != *letter);
            row[at] = changed.min(above + 1).min(row[at - 1] + 1);
            before = above;
        }
    }
    row.iter().any(|distance| *distance <= SLIPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_suggested_where_the_text_is_nearly_its_name() {
        let runs = ["01a22deb-1ab7-72ee", "01a11ccc-0000-71aa"].map(RunId::new);
        for (text, expected) in [
            ("1ab7-72ee", Some(0)),
            ("01A11CCC", Some(1)),
            (" 01a22deb ", Some(0)),
            ("01a22bed-1ab7", Some(0)),
            ("01a11cc-0000", Some(1)),
            ("01b1", Some(0)),
            ("01a99xyz-1ab7", None),
            ("zzz", None),
            ("", None),
            ("no-such-run-at-all", None),
            ("01a22deb-1ab7-72ee-and-far-more-than-that", None),
        ] {
            assert_eq!(
                near_run(text, &runs),
                expected.map(|index: usize| &runs[index]),
                "{text:?}"
            );
        }
    }
}
