//! `bench verdict`: extraction and vote beside their peers, written to `docs/benchmarks.md`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::measure::{Place, median, time};
use crate::failure::Failure;
use crate::process::{self, cargo};

/// Where criterion leaves its figures, in the folder of the benches.
const FIGURES: &str = "target/criterion";
const PAGE: &str = "docs/benchmarks.md";
const N_ROUNDS: usize = 3;

/// What others are held against, in groups that have it.
const PARSE: &str = "serde_json Value, bare";
const BARE: &str = "a bare ballot";

/// What criterion says of a benchmark.
#[derive(Deserialize)]
struct Name {
    group_id: String,
    function_id: String,
}

#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

/// In nanoseconds.
#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// Medians by group and program, in nanoseconds.
type Figures = BTreeMap<String, Vec<(String, f64)>>;

/// Runs the benches, which are a workspace of their own, and writes the page.
pub(super) fn run(root: &Path) -> Result<(), Failure> {
    let folder = root.join("benches");
    let figures = folder.join(FIGURES);
    if figures.exists() {
        std::fs::remove_dir_all(&figures).map_err(Failure::at(&figures))?;
    }
    process::run(&mut cargo(&folder, &["bench"]))?;
    let page = page(&read(&figures)?, &beside_jq(root)?);
    print!("{page}");
    let path = root.join(PAGE);
    std::fs::write(&path, page).map_err(Failure::at(&path))
}

fn read(folder: &Path) -> Result<Figures, Failure> {
    let mut figures = Figures::new();
    for group in entries(folder)? {
        for program in entries(&group)?.iter().map(|program| program.join("new")) {
            // Criterion keeps reports beside the figures.
            if !program.join("benchmark.json").exists() {
                continue;
            }
            let name: Name = json(&program.join("benchmark.json"))?;
            let estimates: Estimates = json(&program.join("estimates.json"))?;
            let row = (name.function_id, estimates.median.point_estimate);
            figures.entry(name.group_id).or_default().push(row);
        }
    }
    for rows in figures.values_mut() {
        rows.sort_by(|one, other| one.1.total_cmp(&other.1));
    }
    Ok(figures)
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(Failure::at(folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths: Vec<_> = paths.collect::<Result<_, _>>().map_err(Failure::at(folder))?;
    Ok(paths.into_iter().filter(|path| path.is_dir()).collect())
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::at(path))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::Broken(format!("{}: {error}", path.display())))
}

/// The count of jq's `group_by` as a process, beside ours; a line of the page.
fn beside_jq(root: &Path) -> Result<String, Failure> {
    if !process::installed("jq") {
        return Ok("jq is not installed, so the count was not held against it.".to_owned());
    }
    process::run(&mut cargo(
        root,
        &["build", "-q", "--release", "-p", "tribunal-vote", "--example", "merge"],
    ))?;
    let program = process::target_folder(root)?.join("release/examples/merge");
    let scratch = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
    let place = Place { folder: scratch.path(), scratch: scratch.path() };
    time(BALLOTS, &[], &place)?;
    let cpu = |text: &str| {
        let rounds = (0..N_ROUNDS).map(|_| time(text, &[&program], &place));
        rounds.collect::<Result<Vec<_>, _>>().map(|costs| median(&costs).cpu.as_secs_f64())
    };
    let (jq, ours) = (cpu(JQ)?, cpu(OURS)?);
    Ok(format!(
        "Three ballots of 100,000 votes, a whole process each: jq's `group_by` takes {jq:.2} s of \
         processor time, `examples/merge` {ours:.2} s, which is 1/{:.0}.",
        jq / ours
    ))
}

/// Writes the three ballots.
const BALLOTS: &str = r#"for v in 1 2 3; do
  awk -v v=$v 'BEGIN {
    printf "{\"validated\":["
    for (n = 0; n < 100000; n++) {
      word = (n + v) % 5 ? "confirmed" : "false_positive"
      printf "%s{\"finding_id\":\"F%d\",\"verdict\":\"%s\",\"new_severity\":\"high\",\"reasoning\":\"The error of %d is swallowed, so the caller cannot know that the write was lost.\"}", n ? "," : "", n, word, n
    }
    print "]}"
  }' > "$v.json"
done"#;

const JQ: &str = r#"jq -s '[.[].validated[]] | group_by(.finding_id) | map({
  finding_id: .[0].finding_id,
  yes: map(select(.verdict != "false_positive")) | length,
  no: map(select(.verdict == "false_positive")) | length,
  reasoning: map(.reasoning) | join("; ")
})' 1.json 2.json 3.json"#;

const OURS: &str = "\"$1\" 2 1.json 2.json 3.json";

fn page(figures: &Figures, jq: &str) -> String {
    let mut page = "# Benchmarks\n\n\
        Written by `cargo xtask bench verdict`. Medians of processor time, all programs in one run; other \
        work on the machine is not in the time, but shares its caches and cores. Only ratios mean \
        something. `(wrong)`: the answer is not the ballot. What is given *bare* is the ballot \
        with nothing around it.\n"
        .to_owned();
    for (group, rows) in figures {
        let base = base(rows);
        let against = base.map_or("", |(name, _)| name.as_str());
        // Writing to a text cannot fail.
        let _ =
            write!(page, "\n## {group}\n\n| | µs | beside {against} |\n| --- | ---: | ---: |\n");
        for (program, time) in rows {
            let ratio = base.map_or(String::new(), |(_, base)| format!("{:.2}", time / base));
            let _ = writeln!(page, "| {} | {:.1} | {ratio} |", cell(program), time / 1e3);
        }
    }
    page + "\n## Beside jq\n\n" + jq + "\n"
}

/// What a group is held against: a parse of the bare ballot, our own time on it, or the slowest floor.
fn base(rows: &[(String, f64)]) -> Option<&(String, f64)> {
    let named = |wanted: &str| rows.iter().find(|(name, _)| name == wanted);
    named(PARSE)
        .or_else(|| named(BARE))
        .or_else(|| rows.iter().find(|(name, _)| name != "tribunal"))
}

/// A flood is code; a pipe would end the cell.
fn cell(program: &str) -> String {
    if program.chars().any(char::is_alphabetic) && !program.contains('"') {
        return program.to_owned();
    }
    format!("`` {} ``", program.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_held_against_the_parse_of_the_bare_ballot() {
        let rows = vec![("tribunal".to_owned(), 500.0), (PARSE.to_owned(), 2000.0)];
        let page = page(&Figures::from([("bare, 1 KB".to_owned(), rows)]), "no jq");
        let expected = "\n## bare, 1 KB\n\n| | µs | beside serde_json Value, bare |\n\
            | --- | ---: | ---: |\n| tribunal | 0.5 | 0.25 |\n| serde_json Value, bare | 2.0 | 1.00 |\n";
        assert!(page.contains(expected), "{page}");
    }

    #[test]
    fn a_flood_is_shown_as_code() {
        for (program, expected) in [
            ("tribunal", "tribunal"),
            ("{\"a\":", "`` {\"a\": ``"),
            ("`", "`` ` ``"),
            ("{}", "`` {} ``"),
        ] {
            assert_eq!(cell(program), expected);
        }
    }
}
