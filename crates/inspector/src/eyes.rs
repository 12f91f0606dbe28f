//! The three ways in which validators look.
//!
//! Each eye knows one kind of argument, so that two of them agree only when there are two. One is
//! known to both the context and the adversary: a comment at the place that says it is meant. It is
//! documented intent and a justification, and whoever wrote it must be able to have the last word.

use tribunal_finding::Severity;

use crate::hit::Hit;
use crate::remark::states_intent;
use crate::rule::{InTests, Rule};
use crate::source::SourceFile;
use crate::surroundings::Surroundings;
use crate::survey::Count;
use crate::wire::Word;

/// A word on one finding, with its reason.
pub(crate) struct Opinion {
    pub(crate) word: Word,
    pub(crate) new_severity: Option<Severity>,
    pub(crate) reasoning: String,
}

impl Opinion {
    pub(crate) fn confirmed(reasoning: impl Into<String>) -> Self {
        Self { word: Word::Confirmed, new_severity: None, reasoning: reasoning.into() }
    }

    pub(crate) fn false_positive(reasoning: impl Into<String>) -> Self {
        Self { word: Word::FalsePositive, new_severity: None, reasoning: reasoning.into() }
    }

    fn downgraded(to: Severity, reasoning: impl Into<String>) -> Self {
        Self { word: Word::Downgraded, new_severity: Some(to), reasoning: reasoning.into() }
    }
}

/// What an eye looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eye {
    /// The file as it is now.
    Now,
    /// Where the place stands, and what is written about it.
    Context,
    /// Everything that speaks for the code.
    Adversary,
}

impl Eye {
    /// The eye of validator 1, 2, 3, and round again.
    pub(crate) fn of(validator: u32) -> Self {
        match validator % 3 {
            1 => Self::Now,
            2 => Self::Context,
            _ => Self::Adversary,
        }
    }

    /// Judges a place at which the rule still matches.
    pub(crate) fn judge(
        self,
        hit: &Hit,
        file: &SourceFile,
        line: Option<u32>,
        count: Count,
    ) -> Opinion {
        match self {
            Self::Now => now(hit, line),
            Self::Context => context(hit, file.surroundings),
            Self::Adversary => adversary(hit, count),
        }
    }
}

fn now(hit: &Hit, line: Option<u32>) -> Opinion {
    let rule = &hit.rule.id;
    match hit.line {
        Some(here) if line != Some(here) => {
            Opinion::confirmed(format!("{rule} matches; the evidence stands on line {here} now"))
        }
        Some(here) => Opinion::confirmed(format!("{rule} matches line {here} as reported")),
        None => Opinion::confirmed(format!("{rule} holds for the file as it is now")),
    }
}

fn context(hit: &Hit, surroundings: Surroundings) -> Opinion {
    if let Some(opinion) = misplaced(hit.rule, surroundings, hit.in_test) {
        return opinion;
    }
    let written = hit.intent.iter().chain(&hit.remark).find(|text| states_intent(text));
    if let Some(text) = written {
        return Opinion::false_positive(format!("documented as meant: {}", quoted(text)));
    }
    if surroundings == Surroundings::Example && hit.severity > Severity::Low {
        return Opinion::downgraded(Severity::Low, "this is an example; no user runs it");
    }
    Opinion::confirmed(format!(
        "{}, and nothing written about it says it is meant",
        surroundings.phrase()
    ))
}

/// What the place itself says against a rule.
fn misplaced(rule: &Rule, surroundings: Surroundings, in_test: bool) -> Option<Opinion> {
    let phrase = surroundings.phrase();
    match surroundings {
        Surroundings::Generated | Surroundings::Vendored | Surroundings::Fixture => {
            Some(Opinion::false_positive(format!("this is {phrase}")))
        }
        Surroundings::Test | Surroundings::Product | Surroundings::Example => {
            let tests = in_test || surroundings == Surroundings::Test;
            (tests && rule.in_tests == InTests::Skip)
                .then(|| Opinion::false_positive("this is test code, where it does no harm"))
        }
    }
}

fn adversary(hit: &Hit, count: Count) -> Opinion {
    if let Some(marker) = &hit.suppressed {
        return Opinion::false_positive(format!("taken out of review by {}", quoted(marker)));
    }
    match &hit.remark {
        Some(remark) if states_intent(remark) => {
            Opinion::false_positive(format!("a comment justifies it: {}", quoted(remark)))
        }
        Some(_) | None if count.is_deliberate() => Opinion::false_positive(format!(
            "the project does this on purpose: {} of {} places with it say so",
            count.meant, count.places
        )),
        Some(_) | None => {
            Opinion::confirmed("no suppression marker covers it and no comment justifies it")
        }
    }
}

fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", crate::hit::shortened(&line, 120))
}
