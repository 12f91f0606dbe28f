//! `cargo xtask codegen`: the files that are made from the source, never edited by hand.
//!
//! Each generator is a row: it gives texts, and owns the folders it writes to. `--check` writes
//! nothing and fails on every difference, also on a file that no generator makes any more.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diff;
use crate::failure::{Failure, Problem};

mod schemas;

/// A source of generated files.
struct Generator {
    /// What the files are, for the messages.
    name: &'static str,
    /// The folder that belongs to it alone; a file there that it does not make is stale.
    folder: &'static str,
    produce: fn(&Path) -> Result<Vec<Generated>, Failure>,
}

/// A file as it should be.
#[derive(Debug)]
struct Generated {
    /// Path relative to the root.
    path: String,
    text: String,
}

/// A generated file that is not as it should be.
#[derive(Debug)]
pub(crate) struct Outdated {
    /// For the list of problems.
    pub(crate) problem: Problem,
    /// What would change, from the file as it is to the file as it should be.
    difference: String,
}

const GENERATORS: &[Generator] = &[schemas::GENERATOR];

/// Writes what the generators make, or with `--check` says what is out of date.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => write(root, GENERATORS),
        [flag] if flag == "--check" => check(root),
        _ => Err(Failure::Usage("usage: cargo xtask codegen [--check]".to_owned())),
    }
}

/// The generated files that are missing, different or left over.
pub(crate) fn outdated(root: &Path) -> Result<Vec<Outdated>, Failure> {
    compare(root, GENERATORS)
}

fn check(root: &Path) -> Result<(), Failure> {
    let outdated = outdated(root)?;
    if outdated.is_empty() {
        println!("codegen: up to date");
        return Ok(());
    }
    for Outdated { problem, difference } in &outdated {
        eprintln!("{}\n{difference}", problem.path);
    }
    Err(Failure::Found {
        problems: outdated.into_iter().map(|stale| stale.problem).collect(),
        remedy: "`cargo xtask codegen` writes them",
    })
}

fn write(root: &Path, generators: &[Generator]) -> Result<(), Failure> {
    for generator in generators {
        let files = (generator.produce)(root)?;
        for Generated { path, text } in &files {
            let place = root.join(path);
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder).map_err(Failure::at(folder))?;
            }
            std::fs::write(&place, text).map_err(Failure::at(&place))?;
        }
        for path in left_over(root, generator, &files)? {
            std::fs::remove_file(root.join(&path)).map_err(Failure::at(&path))?;
        }
        println!("codegen: {} files of {}", files.len(), generator.name);
    }
    Ok(())
}

fn compare(root: &Path, generators: &[Generator]) -> Result<Vec<Outdated>, Failure> {
    let mut outdated = Vec::new();
    for generator in generators {
        let files = (generator.produce)(root)?;
        for path in left_over(root, generator, &files)? {
            outdated.push(stale(&path, "is not generated any more", generator, String::new()));
        }
        for Generated { path, text } in files {
            match std::fs::read_to_string(root.join(&path)) {
                Ok(present) if present == text => {}
                Ok(present) => {
                    let difference = diff::unified(&present, &text)?;
                    outdated.push(stale(&path, "is out of date", generator, difference));
                }
                Err(_) => outdated.push(stale(&path, "is missing", generator, String::new())),
            }
        }
    }
    Ok(outdated)
}

fn stale(path: &str, what: &str, generator: &Generator, difference: String) -> Outdated {
    let problem = Problem {
        path: path.to_owned(),
        line: 1,
        what: what.to_owned(),
        why: format!("generated ({}): `cargo xtask codegen` writes it", generator.name),
    };
    Outdated { problem, difference }
}

/// Files in the generator's folder that it does not make.
fn left_over(
    root: &Path,
    generator: &Generator,
    files: &[Generated],
) -> Result<Vec<String>, Failure> {
    let made: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let folder = root.join(generator.folder);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(Failure::at(&folder))? {
        let entry = entry.map_err(Failure::at(&folder))?;
        let path = format!("{}/{}", generator.folder, entry.file_name().to_string_lossy());
        if entry.path().is_file() && !made.contains(path.as_str()) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &[Generator] = &[Generator {
        name: "samples",
        folder: "made",
        produce: |_| {
            Ok(vec![Generated { path: "made/a.txt".to_owned(), text: "new\n".to_owned() }])
        },
    }];

    fn shown(root: &Path) -> Vec<(String, String)> {
        let outdated = compare(root, SAMPLE).expect("the folder can be read");
        outdated
            .into_iter()
            .map(|stale| {
                (format!("{} {}", stale.problem.path, stale.problem.what), stale.difference)
            })
            .collect()
    }

    #[test]
    fn what_is_missing_different_or_left_over_is_outdated_until_it_is_written() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        assert_eq!(shown(root), [("made/a.txt is missing".to_owned(), String::new())]);

        std::fs::create_dir(root.join("made")).expect("a new folder");
        std::fs::write(root.join("made/a.txt"), "old\n").expect("a file");
        std::fs::write(root.join("made/b.txt"), "").expect("a file");
        assert_eq!(
            shown(root),
            [
                ("made/b.txt is not generated any more".to_owned(), String::new()),
                ("made/a.txt is out of date".to_owned(), "@@ -1 +1 @@\n-old\n+new\n".to_owned()),
            ]
        );

        write(root, SAMPLE).expect("the folder can be written");
        assert_eq!(shown(root), []);
        assert!(!root.join("made/b.txt").exists());
    }
}
