//! Faults that are made by taking something away.

use std::ops::Range;

use crate::ground::Ground;
use crate::language::Language;
use crate::line::{indent, is_balanced};
use crate::sketch::Rewrite;

/// Lines of a file and what comes in their place.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) range: Range<usize>,
    pub(super) lines: Vec<String>,
}

/// All places of a file where the rewrite leaves a fault.
pub(super) fn changes(rewrite: Rewrite, ground: &Ground<'_>) -> Vec<Change> {
    match rewrite {
        Rewrite::Assertions => without_assertions(ground),
        Rewrite::Documentation => without_documentation(ground),
        Rewrite::ErrorExit => without_error_exit(ground),
    }
}

/// Tests that prove something, without the lines that do.
fn without_assertions(ground: &Ground<'_>) -> Vec<Change> {
    let lines = &ground.lines;
    let starts = (0..lines.len()).filter(|at| match ground.language {
        Language::Python => ground.is_test && lines[*at].starts_with("def test_"),
        Language::Go => ground.is_test && lines[*at].starts_with("func Test"),
        Language::Rust => *at > 0 && lines[*at - 1].trim() == "#[test]",
        _ => false,
    });
    let tests = starts.filter_map(|start| {
        let end = end_of_block(ground, start)?;
        let kept = stripped(ground, &lines[start..end])?;
        let is_shorter = kept.len() < end - start;
        let goes_on = kept.iter().skip(1).any(|line| line.contains('('));
        (is_shorter && goes_on && !proves(ground.language, &kept))
            .then_some(Change { range: start..end, lines: kept })
    });
    tests.collect()
}

/// The lines without assertions; `None` where one cannot be cut out by its lines.
fn stripped(ground: &Ground<'_>, lines: &[&str]) -> Option<Vec<String>> {
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let bare = line.trim_start();
        let is_assertion = match ground.language {
            Language::Python => bare.starts_with("assert "),
            Language::Go => bare.starts_with("assert.") || bare.starts_with("require."),
            _ => bare.starts_with("assert"),
        };
        if is_assertion {
            // An assertion that stands alone in its block would leave the block empty.
            let alone = kept.last().is_none_or(|before| indent(before).len() < indent(line).len());
            if ground.language == Language::Python && alone && at > 1 {
                return None;
            }
            let length = (1..8).find(|n| {
                lines.get(at..at + n).is_some_and(|lines| is_balanced(&lines.join("\n")))
            })?;
            at += length;
        } else {
            kept.push((*line).to_owned());
            at += 1;
        }
    }
    Some(kept)
}

/// Words of a test that may still fail for a reason.
fn proves(language: Language, lines: &[String]) -> bool {
    const WORDS: [&str; 14] = [
        "assert", "raise", "warns", "check", "expect", "verify", "fail", "require", "t.Run",
        "t.Error", "t.Fatal", "panic", "EXPECT", "fixture",
    ];
    let words = match language {
        Language::Rust => &["unwrap", "?;", "should_panic"][..],
        _ => &[],
    };
    lines.iter().any(|line| WORDS.iter().chain(words).any(|word| line.contains(word)))
}

/// The line behind a function that begins on this one.
fn end_of_block(ground: &Ground<'_>, start: usize) -> Option<usize> {
    let lines = &ground.lines;
    let width = indent(lines[start]).len();
    if ground.language == Language::Python {
        let mut end = start + 1;
        let body = (start + 1..lines.len())
            .take_while(|at| lines[*at].trim().is_empty() || indent(lines[*at]).len() > width);
        for at in body {
            if !lines[at].trim().is_empty() {
                end = at + 1;
            }
        }
        return Some(end);
    }
    let closes = |line: &&str| line.trim_end() == format!("{}}}", indent(lines[start]));
    lines[start..].iter().position(closes).map(|n| start + n + 1)
}

/// Public items that lose their documentation in a package where the others have theirs.
fn without_documentation(ground: &Ground<'_>) -> Vec<Change> {
    let is_meant = |at: &usize| !ground.is_test && is_public(ground, *at);
    let lines = if ground.documented { 1..ground.tests_from } else { 0..0 };
    lines.filter(is_meant).filter_map(|at| undocumented(ground, at)).collect()
}

fn is_public(ground: &Ground<'_>, at: usize) -> bool {
    let line = ground.lines[at];
    let capital = |line: &str| line.starts_with(|c: char| c.is_ascii_uppercase());
    match ground.language {
        Language::Rust => {
            ["pub fn ", "pub struct ", "pub enum "].iter().any(|w| line.starts_with(w))
        }
        Language::Python => line.strip_prefix("def ").is_some_and(|name| !name.starts_with('_')),
        Language::Go => {
            let name = line.strip_prefix("func ").or_else(|| line.strip_prefix("type "));
            name.is_some_and(capital)
        }
        // The methods of a class.
        Language::JavaScript => {
            let method = line.strip_prefix("  ").filter(|line| line.ends_with(") {"));
            method.is_some_and(|line| {
                let name = line.split('(').next().unwrap_or(line);
                name != "constructor"
                    && name.starts_with(|c: char| c.is_ascii_lowercase())
                    && name.chars().all(|c| c.is_ascii_alphanumeric())
                    && !matches!(name, "if" | "for" | "while" | "switch")
            })
        }
        _ => false,
    }
}

fn undocumented(ground: &Ground<'_>, at: usize) -> Option<Change> {
    let lines = &ground.lines;
    if ground.language == Language::Python {
        let header = (at..lines.len().min(at + 8)).find(|at| lines[*at].ends_with(':'))?;
        let first = lines.get(header + 1)?.trim();
        let inner = first.strip_prefix("r").unwrap_or(first).strip_prefix("\"\"\"")?;
        let last = if inner.ends_with("\"\"\"") {
            header + 1
        } else {
            (header + 2..lines.len()).find(|at| lines[*at].trim_end().ends_with("\"\"\""))?
        };
        let body = lines.get(last + 1)?;
        let next = if body.trim().is_empty() { lines.get(last + 2)? } else { body };
        (indent(next).len() >= indent(lines[header + 1]).len()).then_some(())?;
        let kept = lines[at..=header].iter().chain([next]);
        let end = last + if body.trim().is_empty() { 3 } else { 2 };
        return Some(Change {
            range: at..end,
            lines: kept.map(|line| (*line).to_owned()).collect(),
        });
    }
    let sign = match ground.language {
        Language::Rust => "///",
        Language::Go => "//",
        _ => "*",
    };
    let starts_so = |line: &&&str| {
        let line = line.trim_start();
        line.starts_with(sign) || sign == "*" && line.starts_with("/**")
    };
    // Some authors leave a line blank below it.
    let n_blank = usize::from(sign == "*" && lines[at - 1].is_empty());
    let above = lines[..at - n_blank].iter().rev();
    let n_lines = above.take_while(starts_so).count() + n_blank;
    (n_lines > n_blank)
        .then(|| Change { range: at - n_lines..at + 1, lines: vec![lines[at].to_owned()] })
}

/// Scripts of several steps that go on after a failure.
fn without_error_exit(ground: &Ground<'_>) -> Vec<Change> {
    let lines = &ground.lines;
    let is_script = lines.first().is_some_and(|line| line.starts_with("#!")) && lines.len() > 12;
    let stops = lines.iter().take(12).position(|line| line.starts_with("set -e"));
    let change = stops.filter(|_| is_script).map(|at| Change {
        range: 0..at + 1,
        lines: lines[..at].iter().map(|line| (*line).to_owned()).collect(),
    });
    change.into_iter().collect()
}
