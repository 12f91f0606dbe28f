//! Runners of named commands, whatever they are written in: Make and just.

use super::super::Ecosystem::{Just, Make};
use super::super::When::{Recipe, Target};
use super::{Rule, rule};
use crate::Slot::{Build, Lint, Tests, Typecheck};

const TESTS: &[&str] = &["test", "tests", "check"];
const BUILD: &[&str] = &["build", "all"];
const LINT: &[&str] = &["lint"];
const TYPECHECK: &[&str] = &["typecheck", "type-check", "types", "mypy"];

pub(super) const RULES: &[Rule] = &[
    rule(Make, Tests, &[Target(TESTS)], "make {name}"),
    rule(Make, Build, &[Target(BUILD)], "make {name}"),
    rule(Make, Lint, &[Target(LINT)], "make {name}"),
    rule(Make, Typecheck, &[Target(TYPECHECK)], "make {name}"),
    rule(Just, Tests, &[Recipe(TESTS)], "just {name}"),
    rule(Just, Build, &[Recipe(BUILD)], "just {name}"),
    rule(Just, Lint, &[Recipe(LINT)], "just {name}"),
    rule(Just, Typecheck, &[Recipe(TYPECHECK)], "just {name}"),
];
