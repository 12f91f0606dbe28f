//! The keys of a recipe.

/// The keys of one map.
pub(super) struct Keys {
    /// What the map belongs to, for messages.
    pub(super) of: &'static str,
    /// Keys that are read.
    pub(super) known: &'static [&'static str],
    /// Keys of the format that nothing carries out yet.
    pub(super) unsupported: &'static [&'static str],
    /// Keys people write, with the one that does what they want.
    pub(super) meant: &'static [(&'static str, &'static str)],
}

pub(super) const TOP: Keys = Keys {
    of: "a recipe",
    known: &[
        "name",
        "version",
        "description",
        "author",
        "tags",
        "machine",
        "context",
        "recursion",
        "steps",
        "output",
    ],
    unsupported: &["extends", "hooks", "context_validation", "inputs", "slots"],
    meant: &[("parameters", "context"), ("variables", "context")],
};

pub(super) const RECURSION: Keys = Keys {
    of: "`recursion`",
    known: &["max_depth", "max_total_steps"],
    unsupported: &[],
    meant: &[],
};

pub(super) const STEP: Keys = Keys {
    of: "a step",
    known: &[
        "id",
        "type",
        "agent",
        "prompt",
        "model",
        "command",
        "recipe",
        "context",
        "uses",
        "with",
        "condition",
        "output",
        "parse_json",
        "working_dir",
        "timeout",
        "parallel_group",
        "continue_on_error",
        "access",
        "env",
        "repeat",
    ],
    unsupported: &[
        "when_tags",
        "stdin",
        "for_each",
        "retry",
        "mode",
        "auto_stage",
        "fatal",
        "parse_json_required",
        "recovery_on_failure",
    ],
    meant: &[
        ("on_error", "continue_on_error"),
        ("nonfatal", "continue_on_error"),
        ("timeout_seconds", "timeout"),
        ("sub_context", "context"),
        ("when", "condition"),
        ("if", "condition"),
        ("run", "command"),
        ("script", "command"),
    ],
};

pub(super) const REPEATED: Keys = Keys {
    of: "a repeated group",
    known: &["id", "repeat", "condition"],
    unsupported: &[],
    meant: &[("when", "condition"), ("if", "condition")],
};

pub(super) const REPEAT: Keys = Keys {
    of: "`repeat`",
    known: &["steps", "until", "max"],
    unsupported: &[],
    meant: &[("while", "until"), ("times", "max"), ("condition", "until")],
};
