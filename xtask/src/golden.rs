//! `cargo xtask golden`: runs of the program whose every byte is expected.
//!
//! A case is a folder below `tests/golden` with a file `args` (one argument a line). It may hold
//! `stdin` and a folder `in`, a copy of which is the current directory, and holds what is expected:
//! `stdout`, `stderr` and `status`, where a file that is not there means empty, and exit 0.

use std::path::{Path, PathBuf};

use crate::diff;
use crate::failure::{Failure, Problem};
use crate::process::{self, cargo};
use case::{Case, Outcome};

mod case;
mod normal;

const FOLDER: &str = "tests/golden";

/// Runs the cases whose path holds the filter; `--bless` writes what came out as expected.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let (blesses, filter) = match arguments {
        [] => (false, ""),
        [flag] if flag == "--bless" => (true, ""),
        [flag, filter] if flag == "--bless" => (true, filter.as_str()),
        [filter] if !filter.starts_with('-') => (false, filter.as_str()),
        _ => return Err(Failure::Usage("usage: cargo xtask golden [--bless] [FILTER]".to_owned())),
    };
    let mut cases = Vec::new();
    collect(&root.join(FOLDER), &mut cases)?;
    cases.retain(|folder| name(root, folder).contains(filter));
    cases.sort();
    if cases.is_empty() {
        println!("golden: no case");
        return Ok(());
    }
    let program = build(root)?;
    let mut problems = Vec::new();
    for folder in &cases {
        let case = Case::read(folder)?;
        let outcome = case.run(&program)?;
        if blesses {
            outcome.write(folder)?;
        } else {
            problems.extend(compare(&name(root, folder), &case.expected, &outcome)?);
        }
    }
    if problems.is_empty() {
        println!("golden: {} cases {}", cases.len(), if blesses { "written" } else { "hold" });
        return Ok(());
    }
    Err(Failure::Found {
        problems,
        remedy: "where the new output is right: `cargo xtask golden --bless`, then read the diff",
    })
}

/// Folders that hold a file `args`.
fn collect(folder: &Path, cases: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if folder.join("args").is_file() {
        cases.push(folder.to_owned());
        return Ok(());
    }
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).map_err(Failure::at(folder))? {
        let path = entry.map_err(Failure::at(folder))?.path();
        if path.is_dir() {
            collect(&path, cases)?;
        }
    }
    Ok(())
}

fn name(root: &Path, folder: &Path) -> String {
    folder.strip_prefix(root).unwrap_or(folder).display().to_string()
}

fn build(root: &Path) -> Result<PathBuf, Failure> {
    process::run(&mut cargo(root, &["build", "--quiet", "--package", "tribunal"]))?;
    Ok(process::target_folder(root)?.join("debug/tribunal"))
}

/// Prints the differences of a case and gives a problem for each file that differs.
fn compare(name: &str, expected: &Outcome, actual: &Outcome) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for ((file, expected), (_, actual)) in expected.files().into_iter().zip(actual.files()) {
        let difference = diff::unified(&expected, &actual)?;
        if !difference.is_empty() {
            let path = format!("{name}/{file}");
            eprintln!("{path}\n{difference}");
            problems.push(Problem {
                path,
                line: 1,
                what: "differs".to_owned(),
                why: "every byte of a golden case is expected".to_owned(),
            });
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().expect("below a folder")).expect("a new folder");
        std::fs::write(path, text).expect("a file");
    }

    #[test]
    fn a_difference_is_found_and_blessed_away() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("tests/golden/vote/ok/one");
        write(&folder.join("args"), "-c\ncat here.txt; cat; echo \"$PWD\" >&2; exit 3\n");
        write(&folder.join("stdin"), "said\n");
        write(&folder.join("in/here.txt"), "kept\n");
        write(&folder.join("stdout"), "other\n");

        let mut cases = Vec::new();
        collect(&root.path().join(FOLDER), &mut cases).expect("the folder can be read");
        assert_eq!(cases, std::slice::from_ref(&folder));

        let bash = Path::new("bash");
        let problems = || {
            let case = Case::read(&folder).expect("a case");
            let outcome = case.run(bash).expect("bash runs");
            let problems = compare("one", &case.expected, &outcome).expect("git runs");
            (problems.into_iter().map(|problem| problem.path).collect::<Vec<_>>(), outcome)
        };
        let (found, outcome) = problems();
        assert_eq!(found, ["one/stdout", "one/stderr", "one/status"]);
        assert_eq!(
            outcome,
            Outcome {
                stdout: "kept\nsaid\n".to_owned(),
                stderr: "[ROOT]/in\n".to_owned(),
                exit: "3\n".to_owned()
            }
        );
        outcome.write(&folder).expect("the folder can be written");
        assert!(problems().0.is_empty());
    }
}
