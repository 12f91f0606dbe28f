//! `cargo xtask ci`: every stage in order, and the minutes of each.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::agents;
use crate::chore;
use crate::failure::Failure;
use crate::packages;
use crate::process::{self, cargo};

/// A part of the check; later stages run even when an earlier one failed.
struct Stage {
    name: &'static str,
    run: fn(&Path) -> Result<Done, Failure>,
}

/// How a stage went that found no fault.
enum Done {
    Ran,
    /// Something that it needs is not there, and it may be.
    Skipped(&'static str),
}

const STAGES: &[Stage] = &[
    Stage { name: "format", run: |root| ran(&mut cargo(root, &["fmt", "--all", "--check"])) },
    Stage { name: "tidy", run: |root| ran(&mut cargo(root, &["xtask", "tidy"])) },
    Stage { name: "layers", run: |root| ran(&mut cargo(root, &["xtask", "layers"])) },
    Stage { name: "codegen", run: |root| ran(&mut cargo(root, &["xtask", "codegen", "--check"])) },
    Stage { name: "clippy", run: clippy },
    // Tests plant faults in them.
    Stage { name: "packages", run: packages },
    // Tests ask them.
    Stage { name: "agents", run: agents },
    // The very command of README.
    Stage { name: "test", run: |root| ran(&mut cargo(root, &["xtask", "test"])) },
    Stage { name: "golden", run: |root| ran(&mut cargo(root, &["xtask", "golden"])) },
    Stage { name: "fuzz", run: fuzz },
    Stage { name: "first command", run: first_command },
    Stage { name: "precision", run: precision },
    Stage { name: "fixes", run: fixes },
    Stage { name: "deny", run: deny },
];

/// The packages whose fixes are tried here: those that take least. `cargo xtask fixes` alone has
/// all six.
const TRIED: [&str; 4] = ["hyperfine", "flask", "express", "commander"];
/// Seconds that all fuzz targets may take together, their build apart.
const FUZZ_SECONDS: usize = 90;

/// Runs all stages, prints the table and fails when one of them failed.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    chore::takes_nothing("ci", arguments)?;
    let mut rows = Vec::new();
    let mut failure = None;
    for Stage { name, run } in STAGES {
        eprintln!("\nci: {name}");
        let start = Instant::now();
        let word = match run(root) {
            Ok(Done::Ran) => "ok".to_owned(),
            Ok(Done::Skipped(why)) => format!("skipped: {why}"),
            Err(error) => {
                eprintln!("{error}");
                failure.get_or_insert(error);
                "FAILED".to_owned()
            }
        };
        rows.push((*name, start.elapsed(), word));
    }
    println!("{}", table(&rows));
    failure.map_or(Ok(()), Err)
}

fn ran(command: &mut Command) -> Result<Done, Failure> {
    process::run(command).map(|()| Done::Ran)
}

fn clippy(root: &Path) -> Result<Done, Failure> {
    ran(&mut cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Builds the release and runs README's first command, in a clone: what git does not hold is not there,
/// and what the audit changes is not ours. The target folder is shared, so that dependencies are
/// built once.
fn first_command(root: &Path) -> Result<Done, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
    let clone = folder.path().join("tribunal");
    process::run(Command::new("git").args(["clone", "--quiet"]).arg(root).arg(&clone))?;
    let target = process::target_folder(root)?;
    let shared = |arguments: &[&str]| {
        let mut command = cargo(&clone, arguments);
        command.env("CARGO_TARGET_DIR", &target).env("XDG_STATE_HOME", folder.path().join("state"));
        command
    };
    process::run(&mut shared(&["build", "--release"]))?;
    ran(&mut shared(&["run", "--release", "--", "audit", "."]))
}

/// Each target for a while, from the kept seeds and what earlier runs found; a difference ends it.
fn fuzz(root: &Path) -> Result<Done, Failure> {
    let folder = root.join("fuzz");
    if !process::works(&mut cargo(&folder, &["fuzz", "--version"])) {
        return Ok(Done::Skipped("cargo-fuzz is not installed"));
    }
    // No sanitizer: the crates hold no unsafe code, and stable Rust will do.
    let targets = fuzz_targets(&folder.join("fuzz_targets"))?;
    let time = format!("-max_total_time={}", FUZZ_SECONDS / targets.len().max(1));
    for target in &targets {
        let corpus = format!("corpus/{target}");
        std::fs::create_dir_all(folder.join(&corpus)).map_err(Failure::at(&corpus))?;
        let mut command = cargo(&folder, &["fuzz", "run", "--sanitizer", "none", target]);
        command.args([&corpus, &format!("seeds/{target}")]);
        command.args(["--", "-dict=dictionary", "-max_len=600", &time]);
        process::run(&mut command)?;
    }
    Ok(Done::Ran)
}

/// The names of the files in a folder of fuzz targets, without their ending.
fn fuzz_targets(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut targets = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Failure::at(folder))? {
        let path = entry.map_err(Failure::at(folder))?.path();
        if path.extension().is_some_and(|ending| ending == "rs") {
            targets.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    targets.sort_unstable();
    Ok(targets)
}

/// Fetches the public packages that later stages and tests look at.
fn packages(root: &Path) -> Result<Done, Failure> {
    if !packages::are_here(root)? && !packages::registries_answer() {
        return Ok(Done::Skipped("the registries cannot be asked"));
    }
    ran(&mut cargo(root, &["xtask", "packages"]))
}

/// Installs the real agent programs that tests ask; a test without them says so.
fn agents(root: &Path) -> Result<Done, Failure> {
    if !agents::is_possible() {
        return Ok(Done::Skipped("npm is not installed"));
    }
    if !packages::registries_answer() {
        return Ok(Done::Skipped("the registries cannot be asked"));
    }
    ran(&mut cargo(root, &["xtask", "agents"]))
}

fn precision(root: &Path) -> Result<Done, Failure> {
    if !packages::are_here(root)? {
        return Ok(Done::Skipped("the packages are not there"));
    }
    ran(&mut cargo(root, &["xtask", "precision", "--check"]))
}

/// Installs what the packages need, so the registries must answer even where the packages are here.
fn fixes(root: &Path) -> Result<Done, Failure> {
    if !packages::registries_answer() {
        return Ok(Done::Skipped("the registries cannot be asked"));
    }
    ran(cargo(root, &["xtask", "fixes"]).args(TRIED))
}

/// Bans, licences and sources; needs no network.
fn deny(root: &Path) -> Result<Done, Failure> {
    if !process::works(&mut cargo(root, &["deny", "--version"])) {
        return Ok(Done::Skipped("cargo-deny is not installed"));
    }
    ran(&mut cargo(root, &["deny", "--offline", "check", "bans", "licenses", "sources"]))
}

fn table(rows: &[(&str, Duration, String)]) -> String {
    let minutes = |time: Duration| time.as_secs_f64() / 60.0;
    let mut text = format!("\n{:<16}{:>8}\n", "stage", "minutes");
    for (name, time, word) in rows {
        text += &format!("{name:<16}{:>8.1}  {word}\n", minutes(*time));
    }
    let total = rows.iter().map(|(_, time, _)| *time).sum();
    text += &format!("{:<16}{:>8.1}", "all", minutes(total));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target that is in one of the two alone would be left out without a word.
    #[test]
    fn every_fuzz_target_is_a_program_of_its_package() {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        let targets = fuzz_targets(&fuzz.join("fuzz_targets")).expect("the targets");
        let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).expect("the manifest");
        let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
        let mut named: Vec<&str> = paths.filter_map(|path| path.strip_suffix(".rs\"")).collect();
        named.sort_unstable();
        assert_eq!(named, targets);
        assert!(targets.len() > 2 && FUZZ_SECONDS / targets.len() >= 5, "{targets:?}");
    }

    #[test]
    fn the_table_has_the_minutes_of_each_stage_and_of_all() {
        let rows = [
            ("format", Duration::from_secs(6), "ok".to_owned()),
            ("test", Duration::from_secs(90), "FAILED".to_owned()),
        ];
        assert_eq!(
            table(&rows),
            "\n\
             stage            minutes\n\
             format               0.1  ok\n\
             test                 1.5  FAILED\n\
             all                  1.6"
        );
    }
}
