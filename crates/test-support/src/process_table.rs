//! What runs on this machine, as `/proc` tells it.
//!
//! Written apart from `dispatch`, so that a test of its sweep does not ask the sweep.

use std::fs;

/// Lists the living processes whose environment holds exactly `entry` (`NAME=value`).
///
/// Zombies have no environment and do not count.
#[must_use]
pub fn carriers(entry: &str) -> Vec<u32> {
    processes_whose("environ", |words| {
        words.split(|byte| *byte == 0).any(|w| w == entry.as_bytes())
    })
}

/// Lists the living processes that have `argument` among the words of their command line.
#[must_use]
pub fn processes_with_argument(argument: &str) -> Vec<u32> {
    processes_whose("cmdline", |words| {
        words.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
    })
}

/// Lists the children of a process, dead ones that nobody has waited for included.
#[must_use]
pub fn children_of(parent: u32) -> Vec<u32> {
    let line = format!("PPid:\t{parent}");
    processes_whose("status", |status| {
        status.split(|byte| *byte == b'\n').any(|field| field == line.as_bytes())
    })
}

fn processes_whose(file: &str, matches: impl Fn(&[u8]) -> bool) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("/proc is mounted");
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        // A process that ended meanwhile, or another user's, cannot be read and is no match.
        .filter(|pid| fs::read(format!("/proc/{pid}/{file}")).is_ok_and(|bytes| matches(&bytes)))
        .collect()
}
