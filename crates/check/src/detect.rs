//! Which command checks a project, from the files that are there (D22).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Slot;

mod declared;
mod fill;
mod listing;
mod rules;
#[cfg(test)]
mod tests;
mod when;
mod wire;

pub use declared::known;
pub use listing::{Listing, is_manifest};
use when::When;

/// A family of tools that a project is built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ecosystem {
    /// Rust.
    Cargo,
    /// npm, pnpm, yarn, bun.
    Node,
    /// Deno.
    Deno,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Maven.
    Maven,
    /// Gradle.
    Gradle,
    /// .NET.
    Dotnet,
    /// `CMake`, with ctest.
    Cmake,
    /// Make.
    Make,
    /// just.
    Just,
    /// Elixir.
    Mix,
    /// Ruby.
    Bundler,
    /// PHP.
    Composer,
    /// Swift.
    Swift,
}

/// A command that would check the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Whose command it is.
    pub ecosystem: Ecosystem,
    /// What it checks.
    pub slot: Slot,
    /// The command, for bash.
    pub command: String,
    /// The folder it runs in, relative to the root of the listing; empty for the root.
    pub folder: String,
    /// What was seen that speaks for it.
    pub why: String,
}

/// What can check a project, seen from one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detection {
    /// The best command of each ecosystem, in the order of [`Ecosystem`].
    pub proposals: Vec<Proposal>,
    /// Further commands of the same ecosystems, which were seen and not preferred.
    pub others: Vec<Proposal>,
    /// What looks like a check and is none, such as npm's placeholder script.
    pub refused: Vec<String>,
}

/// What a detection comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice<'a> {
    /// One command, and no other ecosystem beside it.
    One(&'a Proposal),
    /// Several ecosystems: somebody has to choose.
    Several(&'a [Proposal]),
    /// Nothing that would check it.
    Nothing,
}

impl Detection {
    /// The command to run, if it is clear which.
    pub fn choice(&self) -> Choice<'_> {
        match self.proposals.as_slice() {
            [] => Choice::Nothing,
            [one] => Choice::One(one),
            several => Choice::Several(several),
        }
    }
}

/// Finds what can check a project, in the folder nearest to `folder` that has anything for this slot
/// (D22).
///
/// `folder` is relative to the root of the listing. It and the folders above it are looked at, from
/// the inside out; the first one with a proposal is the project. Nothing is taken for granted: a
/// pyproject.toml alone is no pytest, a package.json alone no test.
pub fn detect(listing: &Listing, folder: &str, slot: Slot) -> Detection {
    let mut refused = Vec::new();
    let mut at = folder.trim_matches('/');
    loop {
        let place = listing.place(at);
        let mut found: Vec<Proposal> = Vec::new();
        for rule in rules::all().filter(|rule| rule.slot == slot) {
            found.extend(rule.proposal(&place));
        }
        refused.extend(place.refused(slot));
        if !found.is_empty() {
            return sort(found, refused);
        }
        match at.rsplit_once('/') {
            Some((above, _)) => at = above,
            None if at.is_empty() => return sort(found, refused),
            None => at = "",
        }
    }
}

fn sort(found: Vec<Proposal>, refused: Vec<String>) -> Detection {
    let mut detection = Detection { proposals: Vec::new(), others: Vec::new(), refused };
    for proposal in found {
        let is_further = detection.proposals.iter().any(|c| c.ecosystem == proposal.ecosystem);
        let list = if is_further { &mut detection.others } else { &mut detection.proposals };
        list.push(proposal);
    }
    detection.proposals.sort_by_key(|proposal| proposal.ecosystem);
    detection
}

impl fmt::Display for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = if self.folder.is_empty() { "." } else { &self.folder };
        write!(f, "{} (in {folder}: {})", self.command, self.why)
    }
}
