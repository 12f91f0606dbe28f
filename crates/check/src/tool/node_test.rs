//! The outline that `node --test` prints with its reporter `spec`.

use super::tap::total_fate;
use super::tree::{Closed, Tree, indent};
use crate::Fate;
use crate::sheet::Sheet;

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut tree = Tree::default();
    let mut seen = false;
    let mut above = "";
    for line in text.lines() {
        let depth = indent(line);
        let words = &line[depth..];
        if let Some(total) = words.strip_prefix("ℹ ") {
            seen |= total.starts_with("tests ");
            if let Some((word, number)) = total.split_once(' ')
                && let (Some(fate), Ok(number)) = (total_fate(word), number.parse())
            {
                sheet.sum(fate, number);
            }
        } else if let Some(name) = words.strip_prefix("▶ ") {
            if !name.ends_with("ms)") {
                tree.open(depth / 2, name);
            }
        } else if !above.starts_with("test at ")
            && let Some((name, fate)) = outcome(words)
        {
            match tree.close(depth / 2, name, fate == Fate::Failed) {
                Closed::Test(name) => sheet.test(name, fate),
                Closed::Group => {}
            }
        }
        above = line;
    }
    seen.then_some(sheet)
}

/// `✖ NAME (0.8ms)`. Below the totals the failures are printed again, each below a line `test at …`
/// and without its groups.
fn outcome(words: &str) -> Option<(&str, Fate)> {
    let (mark, rest) = words.split_once(' ')?;
    let fate = match mark {
        "✔" => Fate::Passed,
        "✖" => Fate::Failed,
        "﹣" => Fate::Skipped,
        _ => return None,
    };
    let (rest, directive) = rest.rsplit_once(" # ").unwrap_or((rest, ""));
    let (name, time) = rest.rsplit_once(" (")?;
    time.strip_suffix("ms)")?.parse::<f64>().ok()?;
    let is_aside = directive.starts_with("SKIP") || directive.starts_with("TODO");
    Some((name, if is_aside { Fate::Skipped } else { fate }))
}
