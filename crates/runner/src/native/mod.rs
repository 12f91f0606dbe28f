//! Native steps: pure functions from inputs to a value and the facts it establishes.
//!
//! Facts come from the steps here and from contract readers alone. A step that a Rust program adds
//! gives a value and nothing else, so it can never confirm, judge or decide (DESIGN §3, flow 5).

mod added;
mod decide;
mod history;
mod inputs;
mod merge;
mod read;
mod verify;

use tribunal_phase::{Contract, Fact, FactKind, Failure};
use tribunal_recipe::Datum;

pub use added::{AddedStep, AddedSteps, StepError};
pub(crate) use inputs::{Inputs, Reply};
pub(crate) use read::extraction;

/// What a native step gave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    /// The value of the step's output.
    pub(crate) value: Datum,
    /// Further names that belong to the step.
    pub(crate) also: Vec<(&'static str, Datum)>,
    /// What it establishes.
    pub(crate) facts: Vec<Fact>,
    /// What it has to say.
    pub(crate) said: Vec<Said>,
}

impl Given {
    /// A value that establishes nothing.
    pub(crate) fn value(value: Datum) -> Self {
        Self::new(value, Vec::new())
    }

    fn new(value: Datum, facts: Vec<Fact>) -> Self {
        Self { value, also: Vec::new(), facts, said: Vec::new() }
    }
}

/// A line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Part of the result.
    Result(String),
    /// Something to be aware of.
    Warning(String),
    /// Why the run cannot go on.
    Fatal(String),
}

/// A native step that could not be computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Halt {
    /// Why, as the machine needs it.
    pub(crate) failure: Failure,
    /// Why, for the user.
    pub(crate) said: Vec<Said>,
}

impl Halt {
    fn new(failure: Failure, why: impl Into<String>) -> Self {
        Self { failure, said: vec![Said::Fatal(why.into())] }
    }

    /// A value that another step or the recipe should have given in another form.
    pub(crate) fn recipe(why: impl Into<String>) -> Self {
        Self::new(Failure::Recipe, why)
    }
}

/// The native steps that Tribunal brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    MergeBallots,
    VerifyFixes,
    AccumulateHistory,
    Decide,
}

impl BuiltIn {
    pub(crate) const ALL: [Self; 4] =
        [Self::MergeBallots, Self::VerifyFixes, Self::AccumulateHistory, Self::Decide];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::MergeBallots => "merge-ballots",
            Self::VerifyFixes => "verify-fixes",
            Self::AccumulateHistory => "accumulate-history",
            Self::Decide => "decide",
        }
    }

    /// The kind of fact it establishes.
    pub(crate) fn gives(self) -> FactKind {
        match self {
            Self::MergeBallots => FactKind::Tallied,
            Self::VerifyFixes => FactKind::Judged,
            Self::AccumulateHistory => FactKind::Chronicled,
            Self::Decide => FactKind::Decided,
        }
    }

    pub(crate) fn run(self, inputs: &Inputs) -> Result<Given, Halt> {
        match self {
            Self::MergeBallots => merge::run(inputs),
            Self::VerifyFixes => verify::run(inputs),
            Self::AccumulateHistory => history::run(inputs),
            Self::Decide => decide::run(inputs),
        }
    }
}

/// Reads a reply by its role's contract.
pub(crate) fn read(contract: Contract, inputs: &Inputs) -> Result<Given, Halt> {
    match contract {
        Contract::Findings => read::findings(inputs),
        Contract::Ballot => Ok(read::ballot(inputs)),
        Contract::FixReport => Ok(read::fix_report(inputs)),
    }
}
