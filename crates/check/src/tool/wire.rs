//! The JSON that tools print, a line or an array at a time.

use serde::Deserialize;

/// One line of `go test -json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GoEvent<'a> {
    #[serde(borrow)]
    pub(super) action: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) package: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) test: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) output: std::borrow::Cow<'a, str>,
}

/// One line of `cargo … --message-format json`; other kinds of lines have no message.
#[derive(Debug, Deserialize)]
pub(super) struct CargoLine {
    pub(super) message: Option<RustMessage>,
}

/// One message of the compiler, also as `rustc --error-format json` prints it.
#[derive(Debug, Deserialize)]
pub(super) struct RustMessage {
    pub(super) message: String,
    pub(super) level: String,
    pub(super) code: Option<RustCode>,
    #[serde(default)]
    pub(super) spans: Vec<RustSpan>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RustCode {
    pub(super) code: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct RustSpan {
    pub(super) file_name: String,
    pub(super) line_start: u64,
    pub(super) column_start: u64,
    pub(super) is_primary: bool,
}

/// One file of `eslint --format json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EslintFile {
    pub(super) file_path: String,
    pub(super) messages: Vec<EslintMessage>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EslintMessage {
    pub(super) rule_id: Option<String>,
    /// 1 is a warning, 2 an error.
    pub(super) severity: u8,
    pub(super) message: String,
    #[serde(default)]
    pub(super) line: u64,
    #[serde(default)]
    pub(super) column: u64,
}
