//! What is wrong with a recipe, and where.

use std::fmt;
use std::ops::Range;

/// One fault of a recipe, with the place and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The sort of fault.
    pub kind: ProblemKind,
    /// Bytes of the recipe text that it is about.
    pub span: Option<Range<usize>>,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// What to write instead.
    pub remedy: Option<String>,
    /// Id of the step it belongs to.
    pub step: Option<String>,
}

/// The sorts of faults; each test and each front end can tell them apart without reading prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// The text is no YAML, or more of it than is read.
    Syntax,
    /// A key is given twice.
    DuplicateKey,
    /// A key that no recipe has.
    UnknownKey,
    /// A key, step kind or machine that is known and not carried out.
    Unsupported,
    /// A value of the wrong kind, or out of range.
    Value,
    /// A key that is needed and missing.
    Missing,
    /// A key that does nothing in this kind of step.
    Misplaced,
    /// An expression that cannot be read.
    Expression,
    /// A name that nothing declares.
    UndeclaredName,
    /// Braces that look like a token and are none.
    StrayBraces,
    /// A token in a command where its value cannot be bound as data (D39).
    ShellContext,
    /// Two steps with one id.
    DuplicateId,
    /// A second writer of an output that belongs to one step.
    Ownership,
    /// Members of a parallel group that may not run at once.
    ParallelGroup,
    /// A time limit shorter than such a step needs.
    ShortTimeout,
}

/// How unknown and unsupported keys are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// They are errors.
    Strict,
    /// They are warnings, so that recipes written for the reference runner load (D36).
    Lenient,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { kind, span: Some(span), message: message.into(), remedy: None, step: None }
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    pub(crate) fn in_step(mut self, id: &str) -> Self {
        self.step = Some(id.to_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = &self.step {
            write!(f, "step `{step}`: ")?;
        }
        f.write_str(&self.message)?;
        match &self.remedy {
            Some(remedy) => write!(f, " ({remedy})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
