//! Faults planted into a released package, each of which a rule of the inspector can mend.
//!
//! Well-kept packages hold nothing that is safe to rewrite, and fixes that nobody makes prove nothing.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::failure::{Failure, Problem};
use crate::packages::{Finding, Package, Specimen};

/// How many faults of one kind are planted into a package.
const OF_ONE_KIND: usize = 6;
/// What is below a folder of this name is no code of the product, or not read as such.
const ASIDE: &[&str] = &["bench", "benches", "benchmark", "docs", "examples", "test", "tests"];

/// A kind of fault.
struct Kind {
    /// The rule that mends it.
    rule: &'static str,
    /// How names of files end that take it.
    ending: &'static str,
    /// A line with the fault, made from one without; `None` where it does not fit.
    plant: fn(&str) -> Option<String>,
}

/// One fault, where it stands now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plant {
    rule: &'static str,
    file: String,
    line: usize,
}

const KINDS: &[Kind] = &[
    Kind {
        rule: "rust-dbg-statement",
        ending: ".rs",
        plant: |line| below(line, &["fn ", "pub fn ", "pub(crate) fn "], "dbg!();"),
    },
    Kind { rule: "rust-dbg-value", ending: ".rs", plant: |line| wrapped(line, "return ", "dbg!") },
    Kind {
        rule: "py-none-comparison",
        ending: ".py",
        plant: |line| instead(line, " is None:", " == None:"),
    },
    Kind {
        rule: "py-none-comparison",
        ending: ".py",
        plant: |line| instead(line, " is not None:", " != None:"),
    },
    Kind {
        rule: "py-raise-not-implemented",
        ending: ".py",
        plant: |line| instead(line, "raise NotImplementedError", "raise NotImplemented"),
    },
    Kind {
        rule: "py-exception-not-raised",
        ending: ".py",
        plant: |line| opening(line, "raise ", &["ValueError(", "TypeError(", "RuntimeError("]),
    },
    Kind {
        rule: "js-debugger",
        ending: ".js",
        plant: |line| below(line, &["function ", "return function "], "debugger;"),
    },
    Kind {
        rule: "js-error-not-thrown",
        ending: ".js",
        plant: |line| opening(line, "throw ", &["new Error(", "new TypeError("]),
    },
];

/// Plants into the work tree of a specimen, at places that the package's checksum draws.
pub(super) fn plant(package: &Package, specimen: &Specimen) -> Result<Vec<Plant>, Failure> {
    let mut plants = Vec::new();
    let mut texts = Vec::new();
    for file in specimen.files()?.into_iter().filter(|file| is_product(file)) {
        let path = specimen.repository().join(&file);
        // Files that are no text take no plants.
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        texts.push((file, path, text));
    }
    let drawn = drawn(&texts, package.seed());
    for (at, (file, path, text)) in texts.iter().enumerate() {
        let here: Vec<_> = drawn.iter().filter(|place| place.text == at).collect();
        if here.is_empty() {
            continue;
        }
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let mut n_added = 0;
        for Place { kind, line, planted, .. } in here {
            // What is put below a line stands one line further down, and moves all that follow.
            let n_new = planted.matches('\n').count();
            plants.push(Plant {
                rule: kind.rule,
                file: file.clone(),
                line: line + 1 + n_added + n_new,
            });
            n_added += n_new;
            lines[*line].clone_from(planted);
        }
        std::fs::write(path, lines.join("\n")).map_err(Failure::at(path))?;
    }
    Ok(plants)
}

/// A line that takes a fault.
struct Place {
    rank: [u8; 32],
    kind: &'static Kind,
    text: usize,
    /// From 0.
    line: usize,
    planted: String,
}

/// At most [`OF_ONE_KIND`] places for each kind, no line twice, in the order of files and lines.
fn drawn(texts: &[(String, impl AsRef<Path>, String)], seed: &str) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    for kind in KINDS {
        let mut places = Vec::new();
        for (text, (file, _, content)) in texts.iter().enumerate() {
            for (line, old) in content.split('\n').take_while(|line| !is_test(line)).enumerate() {
                if !file.ends_with(kind.ending) || all.iter().any(|p| p.is_at(text, line)) {
                    continue;
                }
                let Some(planted) = (kind.plant)(old) else { continue };
                let rank = Sha256::digest(format!("{seed} {} {file} {line}", kind.rule)).into();
                places.push(Place { rank, kind, text, line, planted });
            }
        }
        places.sort_by_key(|place| place.rank);
        places.truncate(OF_ONE_KIND);
        all.append(&mut places);
    }
    all.sort_by_key(|place| (place.text, place.line));
    all
}

impl Place {
    fn is_at(&self, text: usize, line: usize) -> bool {
        (self.text, self.line) == (text, line)
    }
}

impl Plant {
    /// Whether this finding is of this fault.
    pub(super) fn is_found_by(&self, finding: &Finding) -> bool {
        let line = finding.place.line.and_then(|line| usize::try_from(line).ok());
        finding.rule_and_words().0 == self.rule
            && finding.place.file == self.file
            && line == Some(self.line)
    }

    /// That no fix has mended it.
    pub(super) fn missed(&self, package: &Package) -> Problem {
        Problem {
            path: format!("{}/{}", package.name, self.file),
            line: self.line,
            what: format!("planted for `{}`", self.rule),
            why: "no fix has mended it".to_owned(),
        }
    }
}

fn is_product(file: &str) -> bool {
    !file.split('/').any(|part| ASIDE.contains(&part))
}

/// Whether tests begin in this line of a Rust file; rules that mend look at the product only.
fn is_test(line: &str) -> bool {
    ["#[cfg(test)]", "#[test]"].contains(&line.trim())
}

/// `new` in place of `old`, where no string and no comment can have begun before it.
fn instead(line: &str, old: &str, new: &str) -> Option<String> {
    let (before, after) = line.split_once(old)?;
    let is_code = !before.contains(['"', '\'', '`', '#']) && !before.contains("//");
    is_code.then(|| format!("{before}{new}{after}"))
}

/// The line without `word`, where a statement begins with it and one of `next`, and ends in the line.
fn opening(line: &str, word: &str, next: &[&str]) -> Option<String> {
    let code = line.trim_start();
    let rest = code.strip_prefix(word)?;
    let is_whole = rest.ends_with(')') || rest.ends_with(");");
    let fits = is_whole && next.iter().any(|next| rest.starts_with(next));
    fits.then(|| format!("{}{rest}", indent(line)))
}

/// The value after `word` as the one argument of a macro; it ends the line and holds no comma.
fn wrapped(line: &str, word: &str, call: &str) -> Option<String> {
    let value = line.trim_start().strip_prefix(word)?.strip_suffix(';')?;
    let is_simple = !value.contains([',', '{', '"', '|', '?']);
    is_simple.then(|| format!("{}{word}{call}({value});", indent(line)))
}

/// A statement below the line that opens a block with one of `openings`.
fn below(line: &str, openings: &[&str], statement: &str) -> Option<String> {
    let code = line.trim_start();
    let opens = line.ends_with('{') && openings.iter().any(|opening| code.starts_with(opening));
    opens.then(|| format!("{line}\n{}    {statement}", indent(line)))
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::finding;

    #[test]
    fn a_fault_is_planted_where_it_fits_and_nowhere_else() {
        let check = |kind: usize, line: &str, planted: Option<&str>| {
            assert_eq!((KINDS[kind].plant)(line).as_deref(), planted, "{line}");
        };
        check(0, "    pub fn x() -> u8 {", Some("    pub fn x() -> u8 {\n        dbg!();"));
        check(0, "/// fn x() {", None);
        check(0, "const fn x() {", None);
        check(0, "fn x() {}", None);
        check(1, "  return Some(x);", Some("  return dbg!(Some(x));"));
        check(1, "  return f(a, b);", None);
        check(1, "  return;", None);
        check(2, "if x is None:", Some("if x == None:"));
        check(2, "    # if x is None:", None);
        check(2, "say('x is None:')", None);
        check(5, "    raise ValueError(text)", Some("    ValueError(text)"));
        check(5, "    raise ValueError(", None);
        check(6, "function f(a) {", Some("function f(a) {\n    debugger;"));
        check(7, "  throw new Error(msg);", Some("  new Error(msg);"));
        check(7, "  throw error;", None);
    }

    #[test]
    fn places_are_drawn_by_the_seed_and_no_line_twice() {
        let lines = "fn a() {\n    return b;\n}\n".repeat(50) + "#[test]\nfn c() {\n";
        let texts = [("src/a.rs".to_owned(), "", lines)];
        let lines = |seed: &str| -> Vec<usize> {
            drawn(&texts, seed).iter().map(|place| place.line).collect()
        };
        let places = lines("f77b8032");
        assert_eq!(places.len(), 2 * OF_ONE_KIND);
        assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|line| *line < 150));
        assert_eq!(lines("f77b8032"), places);
        assert_ne!(lines("1b9ed605"), places);
    }

    #[test]
    fn a_plant_is_found_by_its_own_rule_at_its_own_line() {
        let plant = Plant { rule: "js-debugger", file: "lib/a.js".to_owned(), line: 7 };
        let check = |rule, file, line, expected| {
            assert_eq!(plant.is_found_by(&finding(rule, file, line)), expected);
        };
        check("js-debugger", "lib/a.js", 7, true);
        check("js-debugger", "lib/a.js", 8, false);
        check("js-debugger", "lib/b.js", 7, false);
        check("js-unused", "lib/a.js", 7, false);
    }
}
