//! Every agent there is a row for.

use super::When::{Always, Reading, Writing};
use super::{AgentRow, AnswerPlace, Argument, Slot};

/// Every agent there is a row for.
pub const AGENTS: &[AgentRow] = &[
    // Any program that reads a prompt and prints an answer.
    AgentRow {
        name: "command",
        program: None,
        arguments: &[Argument::Given],
        answer: AnswerPlace::Stdout,
        passes: &[],
        sets: &[],
    },
    // The embedded agent: the caller names the program that links it, usually itself.
    AgentRow {
        name: "inspector",
        program: None,
        arguments: &[
            Argument::Given,
            Argument::Words(Always, &["inspector"]),
            Argument::Flag("--marker", Slot::DataMark),
            Argument::Flag("--role", Slot::Role),
            Argument::Flag("--validator", Slot::Validator),
            Argument::Flag("--cycle", Slot::Cycle),
            Argument::Flag("--target", Slot::Target),
            Argument::Flag("--exclude", Slot::OutputDir),
            Argument::Flag("--module-loc-limit", Slot::ModuleLocLimit),
            Argument::Flag("--rules", Slot::Rules),
            Argument::Flag("--only", Slot::Only),
            Argument::Flag("--skip", Slot::Skip),
            Argument::Flag("--linter", Slot::Linters),
            Argument::Flag("--cache", Slot::Cache),
        ],
        answer: AnswerPlace::Stdout,
        passes: &[],
        sets: &[],
    },
    // Its own sandbox keeps a reader from writing. A reader is not given the repository's AGENTS.md, and
    // a writer has our temporary folder, so it needs no other.
    AgentRow {
        name: "codex",
        program: Some("codex"),
        arguments: &[
            Argument::Words(Always, &["exec", "--json", "--color", "never"]),
            Argument::Words(Always, &["--skip-git-repo-check", "--ephemeral"]),
            Argument::Words(Reading, &["--sandbox", "read-only", "-c", "project_doc_max_bytes=0"]),
            Argument::Words(Writing, &["--sandbox", "workspace-write"]),
            Argument::Words(Writing, &["-c", "sandbox_workspace_write.exclude_slash_tmp=true"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
            Argument::Words(Always, &["-"]),
        ],
        answer: AnswerPlace::Envelope,
        passes: &["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
        sets: &[],
    },
    // A reader is offered no tool that writes; there is no sandbox. Exit 0 says nothing in this mode.
    AgentRow {
        name: "pi",
        program: Some("pi"),
        arguments: &[
            Argument::Words(Always, &["-p", "--mode", "json", "--no-session"]),
            Argument::Words(Always, &["--no-extensions", "--no-skills", "--no-prompt-templates"]),
            Argument::Words(Reading, &["--no-context-files", "--tools", "read,grep,find,ls"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &[
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "OPENAI_API_KEY",
            "OPENROUTER_API_KEY",
            "PI_CODING_AGENT_DIR",
        ],
        sets: &[(Always, "PI_OFFLINE", "1"), (Always, "PI_TELEMETRY", "0")],
    },
    // Settings and hooks of the repository are not read. A reader has no tool that writes.
    AgentRow {
        name: "claude",
        program: Some("claude"),
        arguments: &[
            Argument::Words(Always, &["-p", "--output-format", "json"]),
            Argument::Words(Always, &["--no-session-persistence", "--setting-sources", "user"]),
            Argument::Words(Reading, &["--tools", "Read,Grep,Glob"]),
            Argument::Words(Writing, &["--permission-mode", "acceptEdits"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CONFIG_DIR",
        ],
        // It tries ten times by default, for minutes and without a word.
        sets: &[
            (Always, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            (Always, "CLAUDE_CODE_MAX_RETRIES", "3"),
        ],
    },
    // Without a terminal its default mode offers a reader no tool that writes.
    AgentRow {
        name: "gemini",
        program: Some("gemini"),
        arguments: &[
            Argument::Words(Always, &["--output-format", "json"]),
            Argument::Words(Writing, &["--approval-mode", "auto_edit"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &[
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            "GOOGLE_CLOUD_LOCATION",
            "GOOGLE_CLOUD_PROJECT",
            "GOOGLE_GEMINI_BASE_URL",
            "GOOGLE_GENAI_USE_VERTEXAI",
        ],
        // It would start itself a second time, and refuse a folder that nobody has trusted.
        sets: &[
            (Always, "GEMINI_CLI_NO_RELAUNCH", "true"),
            (Always, "GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
    },
    AgentRow {
        name: "qwen",
        program: Some("qwen"),
        arguments: &[
            Argument::Words(Always, &["--output-format", "json"]),
            Argument::Words(Reading, &["--approval-mode", "plan"]),
            Argument::Words(Writing, &["--approval-mode", "auto-edit"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
        sets: &[],
    },
    // Its agent `plan` may run shells, so a reader is held by permissions; what it may not do is not
    // offered. A title spares a call that makes one up.
    AgentRow {
        name: "opencode",
        program: Some("opencode"),
        arguments: &[
            Argument::Words(Always, &["run", "--format", "json", "--title", "tribunal"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &[
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "OPENAI_API_KEY",
            "OPENCODE_CONFIG",
            "OPENCODE_CONFIG_CONTENT",
            "OPENROUTER_API_KEY",
        ],
        sets: &[
            (Always, "OPENCODE_DISABLE_AUTOUPDATE", "1"),
            (
                Reading,
                "OPENCODE_PERMISSION",
                r#"{"edit":"deny","bash":"deny","webfetch":"deny","external_directory":"deny"}"#,
            ),
        ],
    },
    AgentRow {
        name: "copilot",
        program: Some("copilot"),
        arguments: &[
            Argument::Words(Always, &["--output-format", "json"]),
            Argument::Words(Reading, &["--available-tools", "view,grep,glob"]),
            Argument::Words(Writing, &["--allow-all-tools"]),
            Argument::Flag("--model", Slot::Model),
            Argument::Given,
        ],
        answer: AnswerPlace::Envelope,
        passes: &[
            "COPILOT_GITHUB_TOKEN",
            "COPILOT_MODEL",
            "COPILOT_OFFLINE",
            "COPILOT_PROVIDER_API_KEY",
            "COPILOT_PROVIDER_BASE_URL",
            "COPILOT_PROVIDER_TYPE",
            "COPILOT_PROVIDER_WIRE_API",
            "GH_TOKEN",
            "GITHUB_TOKEN",
        ],
        sets: &[],
    },
];
