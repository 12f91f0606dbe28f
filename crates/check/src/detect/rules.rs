//! The table of detection: one row per command, the better ones of an ecosystem first.
//!
//! To teach a tool, add a row where its ecosystem's stand, and a row to the tests of detection.

use super::fill::Rule;
use super::{Ecosystem, When};
use crate::Slot;

mod compiled;
mod python;
mod runners;
mod scripts;

/// All rules, in the order in which they are preferred within an ecosystem.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [compiled::RULES, scripts::RULES, python::RULES, runners::RULES].into_iter().flatten()
}

const fn rule(
    ecosystem: Ecosystem,
    slot: Slot,
    when: &'static [When],
    command: &'static str,
) -> Rule {
    Rule { ecosystem, slot, when, command }
}
