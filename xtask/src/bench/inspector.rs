//! `bench inspector`: what the seeker does in a second, beside `ast-grep scan` with the same rules.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::measure::{Cost, Place, median, time};
use crate::failure::Failure;
use crate::packages;
use crate::process;
use rules::Rules;

mod rules;

const N_PAIRS: usize = 5;
/// What the seeker may take, as a multiple of what ast-grep takes.
const TARGET: f64 = 1.3;

/// `$1` tribunal.
const SEEKER: &str = "\"$1\" inspector --marker M --role seeker --cycle 3 --root . --target . \
                      </dev/null >/dev/null";
/// `$1` ast-grep, `$2` its configuration. It ends with 1 where a rule of severity `error` matches.
const PEER: &str = "\"$1\" scan --json=stream --config \"$2\" . >/dev/null || [ $? -eq 1 ]";

/// Endings of the files that the rules can be about.
const ENDINGS: &[&str] = &[
    "rs", "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "mts", "cts", "tsx", "go", "sh", "bash",
    "md",
];

/// What is scanned, and by which programs.
struct Setup {
    tribunal: PathBuf,
    peer: PathBuf,
    tree: PathBuf,
    scratch: PathBuf,
}

/// How much there is to scan.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Size {
    n_files: usize,
    n_bytes: u64,
}

/// Measures with all rules. What the inspector asks beyond structure, ast-grep passes over.
pub(super) fn run(root: &Path) -> Result<(), Failure> {
    if !process::installed("npm") {
        println!("skipped: npm is not installed, and ast-grep comes from it");
        return Ok(());
    }
    let scratch = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
    let setup = Setup {
        tribunal: packages::tribunal(root)?,
        peer: peer(root)?,
        tree: scratch.path().join("tree"),
        scratch: scratch.path().to_owned(),
    };
    plant(root, &setup.tree)?;
    let size = size(&setup.tree)?;
    let rules = Rules::read(root)?;
    println!(
        "{} source files, {:.1} MB; medians of {N_PAIRS} pairs",
        size.n_files,
        megabytes(size)
    );
    pairs(&setup, size, &rules)
}

/// The release of ast-grep that the inspector is built with, from npm.
fn peer(root: &Path) -> Result<PathBuf, Failure> {
    let metadata = process::metadata(root)?;
    let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let mut versions = dependencies.filter(|dependency| dependency.name == "ast-grep-core");
    let version = versions.next().map(|dependency| dependency.req.to_string());
    let version =
        version.ok_or_else(|| Failure::Broken("nothing uses ast-grep-core".to_owned()))?;
    let version = version.trim_start_matches('=');
    let folder = process::target_folder(root)?.join("peers").join(format!("ast-grep-{version}"));
    std::fs::create_dir_all(&folder).map_err(Failure::at(&folder))?;
    process::run(Command::new("npm").current_dir(&folder).args([
        "install",
        "--prefix=.",
        "--prefer-offline",
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--silent",
        &format!("@ast-grep/cli@{version}"),
    ]))?;
    // The program itself comes in a package of its own, named after system and processor.
    let scope = folder.join("node_modules").join("@ast-grep");
    let programs = std::fs::read_dir(&scope).map_err(Failure::at(&scope))?;
    let mut programs = programs.flatten().filter_map(|entry| {
        let is_built = entry.file_name().to_string_lossy().starts_with("cli-");
        is_built.then(|| entry.path().join("ast-grep"))
    });
    programs.next().ok_or_else(|| Failure::Broken("ast-grep is not built for here".to_owned()))
}

/// Copies the packages into one tree.
fn plant(root: &Path, tree: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(tree).map_err(Failure::at(tree))?;
    for package in packages::named(&[])? {
        let unpacked = packages::unpacked(root, package)?;
        process::run(Command::new("cp").arg("-R").arg(&unpacked).arg(tree))?;
    }
    Ok(())
}

/// Counts the files that rules can be about.
fn size(folder: &Path) -> Result<Size, Failure> {
    let mut size = Size::default();
    for entry in std::fs::read_dir(folder).map_err(Failure::at(folder))? {
        let path = entry.map_err(Failure::at(folder))?.path();
        let found = path.symlink_metadata().map_err(Failure::at(&path))?;
        if found.is_dir() {
            let below = self::size(&path)?;
            size.n_files += below.n_files;
            size.n_bytes += below.n_bytes;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|e| *e == ending)) {
            size.n_files += 1;
            size.n_bytes += found.len();
        }
    }
    Ok(size)
}

/// Measures both programs in turn, and prints what each does in a second.
fn pairs(setup: &Setup, size: Size, rules: &Rules) -> Result<(), Failure> {
    let config = rules.write(&setup.scratch.join("rules-of-the-peer"))?;
    let place = Place { folder: &setup.tree, scratch: &setup.scratch };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..N_PAIRS {
        ours.push(time(SEEKER, &[&setup.tribunal], &place)?);
        theirs.push(time(PEER, &[&setup.peer, &config], &place)?);
    }
    println!("{} files of rules", rules.len());
    show("inspector", median(&ours), size);
    show("ast-grep scan", median(&theirs), size);
    let wall = ratio(&ours, &theirs, |cost| cost.wall);
    let cpu = ratio(&ours, &theirs, |cost| cost.cpu);
    println!("  {:<16}{wall:>7.2}x {cpu:>7.2}x   target {TARGET}x of the time", "ratio");
    Ok(())
}

/// The median of what the pairs give: both of a pair meet the same load.
fn ratio(ours: &[Cost], theirs: &[Cost], part: fn(&Cost) -> Duration) -> f64 {
    let pairs = ours.iter().zip(theirs);
    let mut ratios: Vec<f64> =
        pairs.map(|(a, b)| part(a).as_secs_f64() / part(b).as_secs_f64().max(0.001)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or_default() // no pair: no ratio
}

fn megabytes(size: Size) -> f64 {
    size.n_bytes as f64 / 1e6
}

fn show(name: &str, cost: Cost, size: Size) {
    let (wall, cpu) = (cost.wall.as_secs_f64(), cost.cpu.as_secs_f64());
    println!(
        "  {name:<16}{wall:>7.2} s{cpu:>7.2} s CPU{:>9.0} files/s{:>7.1} MB/s",
        size.n_files as f64 / wall,
        megabytes(size) / wall
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_of_the_middle_pair() {
        let costs = |millis: [u64; 3]| {
            let cost = |n| Cost { wall: Duration::from_millis(n), cpu: Duration::ZERO };
            millis.map(cost).to_vec()
        };
        let ratio = ratio(&costs([100, 900, 150]), &costs([100, 100, 100]), |cost| cost.wall);
        assert!((ratio - 1.5).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn files_that_rules_can_be_about_are_counted_in_all_folders() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("below")).expect("a folder");
        for (name, text) in [("a.rs", "12"), ("below/b.py", "345"), ("below/c.png", "6")] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        assert_eq!(size(folder.path()).expect("read"), Size { n_files: 2, n_bytes: 5 });
    }
}
