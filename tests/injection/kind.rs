//! What is planted, and which findings count as seeing it.

/// A kind of fault; a look-alike is of the kind that it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    EmptyHandler,
    BroadCatch,
    DiscardedError,
    HidingDefault,
    Secret,
    MissingTimeout,
    CommentedCode,
    StaleTodo,
    SilentTruncation,
    LongFunction,
    DeepNesting,
    ManyParameters,
    LongModule,
    NoAssertion,
    MissingDoc,
    DangerousExpansion,
    PipedDownload,
    NoErrorExit,
    ChatArtefact,
    PointInTime,
    BrokenLink,
}

use Kind::*;

/// Each kind with its word in sketches and tables, and the categories that fit it.
const KINDS: [(Kind, &str, &[&str]); 21] = [
    (EmptyHandler, "empty-handler", &["error_swallowing", "silent_fallbacks"]),
    (BroadCatch, "broad-catch", &["error_swallowing", "silent_fallbacks"]),
    (DiscardedError, "discarded-error", &["error_swallowing", "silent_fallbacks", "reliability"]),
    (HidingDefault, "hiding-default", &["silent_fallbacks", "error_swallowing"]),
    (Secret, "secret", &["security"]),
    (MissingTimeout, "missing-timeout", &["reliability"]),
    (CommentedCode, "commented-code", &["dead_code"]),
    (StaleTodo, "stale-todo", &["dead_code", "documentation"]),
    (SilentTruncation, "silent-truncation", &["hardcoded_limits"]),
    (LongFunction, "long-function", &["structural"]),
    (DeepNesting, "deep-nesting", &["structural"]),
    (ManyParameters, "many-parameters", &["structural"]),
    (LongModule, "long-module", &["structural"]),
    (NoAssertion, "no-assertion", &["test_gaps"]),
    (MissingDoc, "missing-doc", &["doc_gaps"]),
    (DangerousExpansion, "dangerous-expansion", &["security", "reliability"]),
    (PipedDownload, "piped-download", &["security"]),
    (NoErrorExit, "no-error-exit", &["reliability", "error_swallowing"]),
    (ChatArtefact, "chat-artefact", &["documentation"]),
    (PointInTime, "point-in-time", &["documentation"]),
    (BrokenLink, "broken-link", &["documentation"]),
];

impl Kind {
    /// Reads the word of a sketch.
    pub(super) fn named(word: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known, _)| *known == word).map(|(kind, ..)| *kind)
    }

    pub(super) fn word(self) -> &'static str {
        self.row().1
    }

    /// The categories of which one has to be found.
    pub(super) fn categories(self) -> &'static [&'static str] {
        self.row().2
    }

    fn row(self) -> &'static (Self, &'static str, &'static [&'static str]) {
        KINDS.iter().find(|(kind, ..)| *kind == self).expect("every kind has a row")
    }
}

/// Whether a plant is to be found or to be left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Intent {
    Fault,
    LookAlike,
}
