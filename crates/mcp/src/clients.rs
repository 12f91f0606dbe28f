//! How clients are told of the server.

/// Name of each client, and the lines that register the server with it.
pub const CLIENTS: &[(&str, &str)] = &[
    ("claude-code", include_str!("../clients/claude-code.sh")),
    ("claude-code-hook", include_str!("../clients/claude-code-hook.json")),
    ("codex", include_str!("../clients/codex.toml")),
    ("gemini", include_str!("../clients/gemini.sh")),
    ("pi", include_str!("../clients/pi.sh")),
    ("vscode", include_str!("../clients/vscode.json")),
];
