//! Why a call is refused, and the words for it.

use super::{Ask, Opinion, State, Tool};
use crate::{Refusal, What};

/// Why a call does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objection {
    /// Another tool is due.
    WrongPhase,
    /// Another call is still held against the tree.
    Busy,
    /// `changes_requested` without a finding.
    NoFindings,
    /// `clean` with findings (D26).
    CleanWithFindings,
    /// A review of changes that does not say what it rests on (D25).
    NoBasis,
    /// The tree is not the one that the review was shown.
    TreeMoved,
    /// The test command fails on this tree.
    TestsFail(Option<i32>),
    /// The test command changes the tree each time it runs.
    TestsMoveTree,
    /// Nothing changed, and files are listed.
    FilesWithoutChange,
    /// Something changed, and no files are listed.
    ChangeWithoutFiles,
    /// A change is claimed, and the tree is the same.
    NothingChanged,
    /// No change is claimed, and the tree is another.
    ChangedAfterAll,
    /// Files are claimed that did not change; how many.
    Unfounded(u32),
}

impl Objection {
    /// The refusal of a call in a state.
    pub fn refusal(self, ask: Ask, state: &State) -> Refusal {
        let (got, expected) = self.words(ask, state.expected());
        Refusal { got, place: place(state).to_owned(), expected: vec![expected] }
    }

    fn words(self, ask: Ask, due: Tool) -> (String, String) {
        let tool = ask.tool();
        let (got, rest) = match self {
            Self::WrongPhase => (tool.to_string(), ""),
            Self::Busy => (tool.to_string(), ", once the call before it is answered"),
            Self::NoFindings => (
                "changes_requested with 0 findings".to_owned(),
                " with at least one finding, or with verdict=clean",
            ),
            Self::CleanWithFindings => (
                format!("clean with {} findings", findings(ask)),
                " with verdict=changes_requested, or with findings=0",
            ),
            Self::NoBasis => (
                "a review of changes without a basis".to_owned(),
                " with a basis: one claim for each hunk of the diff",
            ),
            Self::TreeMoved => (
                "clean on a tree that is not the one shown".to_owned(),
                " again, after a look at the changes that are shown now",
            ),
            Self::TestsFail(exit) => (
                format!("clean with a test_command {}", how(exit)),
                " with verdict=changes_requested, or again when the tests pass",
            ),
            Self::TestsMoveTree => (
                "clean with a test_command that changes the tree each time it runs".to_owned(),
                " again, when what the tests write is ignored by git",
            ),
            Self::FilesWithoutChange => {
                ("changed=false with files".to_owned(), " with changed=true, or without files")
            }
            Self::ChangeWithoutFiles => (
                "changed=true without files".to_owned(),
                " with the files that changed, or with changed=false",
            ),
            Self::NothingChanged => (
                "changed=true, and git sees no change,".to_owned(),
                " after an edit, or with changed=false",
            ),
            Self::ChangedAfterAll => (
                "changed=false, and git sees changes,".to_owned(),
                " with changed=true and the files, or after putting them back",
            ),
            Self::Unfounded(n) => (
                format!("changed=true with {n} of the files not changed"),
                " with the files that git sees changed",
            ),
        };
        (got, format!("{due}{rest}"))
    }
}

fn findings(ask: Ask) -> u32 {
    match ask {
        Ask::Review { findings, .. } => findings,
        Ask::Start | Ask::Simplify { .. } | Ask::Stop | Ask::Unreadable(_) => 0,
    }
}

fn how(exit: Option<i32>) -> String {
    match exit {
        Some(code) => format!("that fails (exit {code})"),
        None => "that did not end by itself".to_owned(),
    }
}

fn place(state: &State) -> &'static str {
    use super::Phase;
    match state {
        State::Idle => "a loop that has not begun",
        State::Starting(_) => "a loop that begins",
        State::Open(_, Phase::Review) => "the review phase",
        State::Open(_, Phase::Simplify) => "the simplify phase",
        State::Weighing(_, Phase::Review, _) => "a review that is being weighed",
        State::Weighing(_, Phase::Simplify, _) => "a simplify pass that is being weighed",
        State::Done(..) => "a loop that is done",
    }
}

/// The refusal of a call whose arguments cannot be read; `got` says which and why.
pub fn refuse_unreadable(state: &State, tool: Tool, got: String, wanted: &str) -> Refusal {
    let due = state.expected();
    let expected = if due == tool { format!("{due} with {wanted}") } else { due.to_string() };
    Refusal { got, place: place(state).to_owned(), expected: vec![expected] }
}

/// The refusal of an event that is no call.
pub(super) fn refuse(what: &What, state: &State, expected: &[&str]) -> Refusal {
    Refusal::of(what, place(state), expected)
}

impl Opinion {
    /// The word that agents use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::ChangesRequested => "changes_requested",
        }
    }
}
