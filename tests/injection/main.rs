//! Faults and look-alikes, planted in untouched packages by chance: how many the inspector finds,
//! and how many it reports that are none (issue 3).
//!
//! The generator knows nothing of the inspector's rules. It works on text: places are found by
//! indentation and brackets, and what is planted there is written down in `sketches/`.

use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

use tribunal_test_support::Sandbox;

use planting::Planting;
use score::Score;
use wire::Finding;

mod field;
mod fill;
mod ground;
mod kind;
mod language;
mod line;
mod mask;
mod packages;
mod planting;
mod random;
mod rewrite;
mod score;
mod sketch;
mod wire;
mod words;

/// Set to repeat the plants of an earlier test run.
const SEED: &str = "TRIBUNAL_INJECTION_SEED";
/// Set to a folder that the rewritten packages are written to as well, to look at them.
const KEEP: &str = "TRIBUNAL_INJECTION_KEEP";
/// A seed whose plants are the same in every run.
const FIXED_SEED: u64 = 0x7121_b01a;

#[test]
fn faults_of_a_fixed_seed_are_found_and_look_alikes_are_not() {
    check(FIXED_SEED);
}

#[test]
fn faults_of_a_fresh_seed_are_found_and_look_alikes_are_not() {
    let seed = match env::var(SEED) {
        Ok(seed) => seed.parse().expect("a seed is a number"),
        Err(_) => RandomState::new().build_hasher().finish(),
    };
    check(seed);
}

#[track_caller]
fn check(seed: u64) {
    println!("{SEED}={seed}");
    let files = match packages::files(&packages::folder()) {
        Ok(files) => files,
        Err(missing) => {
            eprintln!("skipped: {missing} is not unpacked; `cargo xtask packages` fetches it");
            return;
        }
    };
    let before = inspected(&Planting::none(&files), "untouched");
    let mut score = Score::default();
    for (number, planting) in (1..).zip(planting::plant(&files, seed)) {
        let findings = inspected(&planting, &format!("{seed}-{number}"));
        score.count(&planting.plants, &findings, &before);
    }
    println!("{}", score.table());
    assert!(score.holds(), "repeat with {SEED}={seed}\n{}\n{}", score.table(), score.failures());
}

/// What the seeker finds in the third cycle, when all rules look; each package is a project.
fn inspected(planting: &Planting, name: &str) -> Vec<Finding> {
    const SEEKER: [&str; 7] =
        ["inspector", "--role=seeker", "--cycle=3", "--marker=M", "--target=.", "--root", "."];
    let sandbox = Sandbox::new();
    let tree = sandbox.root().join("tree");
    planting.write(&tree);
    if let Ok(folder) = env::var(KEEP) {
        planting.write(&Path::new(&folder).join(name));
    }
    let mut findings = Vec::new();
    for project in planting.projects() {
        // A checkout: what its documents name is there, which a released package does not promise.
        std::fs::create_dir(tree.join(&project).join(".git")).expect("a folder of its own");
        let outcome = sandbox.tribunal(&SEEKER).dir(tree.join(&project)).run();
        let found = wire::findings(&outcome.expect_code(0).stdout);
        findings.extend(found.into_iter().map(|finding| finding.below(&project)));
    }
    findings
}
