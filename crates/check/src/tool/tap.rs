//! The Test Anything Protocol, versions 12 to 14, with subtests; node, mocha, bats and others print it.

use super::tree::{Closed, Tree, indent};
use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads one document or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut tree = Tree::default();
    let mut seen = false;
    let mut has_plan = false;
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let depth = indent(line);
        let words = &line[depth..];
        if let Some(start) = block {
            if depth > start || (depth == start && words != "...") {
                continue;
            }
            block = None;
        }
        if words == "---" && seen {
            block = Some(depth);
        } else if let Some(name) = words.strip_prefix("# Subtest: ") {
            tree.open(depth / 4, name);
        } else if let Some(point) = point(words) {
            take(&mut sheet, &mut tree, depth / 4, &point);
            seen = true;
        } else if let Some(last) = plan(line) {
            has_plan = true;
            sheet.says_nothing_ran |= last == 0;
        } else if let Some(reason) = line.strip_prefix("Bail out!") {
            sheet.test(format!("Bail out!{reason}"), Fate::Failed);
            has_plan = true;
        } else if has_plan && let Some((fate, number)) = total(line) {
            sheet.sum(fate, number);
        }
    }
    has_plan.then_some(sheet)
}

struct Point<'a> {
    name: &'a str,
    fate: Fate,
}

/// `ok 1 - NAME # SKIP reason`; number, dash and name may be left out.
fn point(words: &str) -> Option<Point<'_>> {
    let (is_ok, rest) = match words.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, words.strip_prefix("ok")?),
    };
    if !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = leading_number(rest).map_or(rest, |(_, rest)| rest);
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    let (name, directive) = rest.rsplit_once(" # ").unwrap_or((rest, ""));
    let directive = directive.get(..4).unwrap_or("");
    let is_aside = directive.eq_ignore_ascii_case("skip") || directive.eq_ignore_ascii_case("todo");
    let fate = match (is_ok, is_aside) {
        (_, true) => Fate::Skipped,
        (true, false) => Fate::Passed,
        (false, false) => Fate::Failed,
    };
    Some(Point { name: if is_aside { name } else { rest }, fate })
}

fn take<'a>(sheet: &mut Sheet, tree: &mut Tree<'a>, depth: usize, point: &Point<'a>) {
    match tree.close(depth, point.name, point.fate == Fate::Failed) {
        Closed::Test(name) => sheet.test(name, point.fate),
        Closed::Group => {}
    }
}

/// The last number of the plan `1..N`; subtests have plans of their own, which are indented.
fn plan(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("1..")?;
    match leading_number(rest)? {
        (last, rest) if rest.is_empty() || rest.starts_with('#') => Some(last),
        _ => None,
    }
}

/// `# pass 3`, as node prints below the plan.
fn total(line: &str) -> Option<(Fate, u64)> {
    let (word, number) = line.strip_prefix("# ")?.split_once(' ')?;
    Some((total_fate(word)?, number.parse().ok()?))
}

/// The fate that a word of node's totals counts.
pub(super) fn total_fate(word: &str) -> Option<Fate> {
    Some(match word {
        "pass" => Fate::Passed,
        "fail" | "cancelled" => Fate::Failed,
        "skipped" | "todo" => Fate::Skipped,
        _ => return None,
    })
}
