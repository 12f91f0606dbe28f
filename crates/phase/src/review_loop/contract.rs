//! What the tools of the loop take (D25, DESIGN §5).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde::Serialize;

use super::{Ask, MaxRounds, Opinion, Tool};

/// A call that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// `audit_loop_start`
    Start(StartCall),
    /// `audit_review`
    Review(ReviewCall),
    /// `audit_simplify`
    Simplify(SimplifyCall),
    /// `audit_loop_stop`
    Stop(StopCall),
    /// `audit_loop_status`
    Status(StatusCall),
}

/// Begins a review loop on this work tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "loop-start")]
pub struct StartCall {
    /// What is reviewed: a path, a range of commits such as main..HEAD, or a description.
    pub scope: String,
    /// A command that shows that the code works. Tribunal runs it itself, in bash, at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_command: Option<String>,
    /// How many simplify passes there may be; 3 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<std::num::NonZeroU32>")]
    pub max_rounds: Option<MaxRounds>,
}

/// Records the verdict of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "review")]
pub struct ReviewCall {
    /// `clean` when nothing is to be changed, `changes_requested` otherwise.
    #[schemars(with = "Word")]
    pub verdict: Opinion,
    /// How many findings there are, or the findings themselves; 0 when left out.
    #[schemars(with = "Option<Findings>")]
    pub findings: Findings,
    /// Files that the findings are in.
    #[schemars(default)]
    pub files: Vec<String>,
    /// What the verdict rests on. Required when there are changes to review: one claim for each hunk,
    /// by its name (H1: ...).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// The run that `audit_loop_start` named; the active loop of this work tree when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// Records a simplify pass that preserves behaviour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "simplification")]
pub struct SimplifyCall {
    /// Whether the pass changed anything.
    pub changed: bool,
    /// The files it changed, relative to the root; git must see each of them changed.
    #[schemars(default)]
    pub files: Vec<String>,
    /// The run that `audit_loop_start` named; the active loop of this work tree when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// Ends a loop by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "loop-stop")]
pub struct StopCall {
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The run that `audit_loop_start` named; the active loop of this work tree when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// Shows how a loop stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "loop-query")]
pub struct StatusCall {
    /// The run that `audit_loop_start` named; the active loop of this work tree when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

/// Findings of a review: a number, or a list of which each entry counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// How many.
    pub count: u32,
    /// Each as it was written, where they were listed.
    pub listed: Vec<String>,
}

impl JsonSchema for Findings {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Findings".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "array", "items": {} }],
        })
    }
}

/// The two words of a verdict, as the plainest schema there is: not every model reads references.
struct Word;

impl JsonSchema for Word {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Word".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words = [Opinion::Clean, Opinion::ChangesRequested].map(Opinion::word);
        json_schema!({ "type": "string", "enum": words })
    }
}

impl Call {
    /// The tool that is called.
    pub fn tool(&self) -> Tool {
        match self {
            Self::Start(_) => Tool::Start,
            Self::Review(_) => Tool::Review,
            Self::Simplify(_) => Tool::Simplify,
            Self::Stop(_) => Tool::Stop,
            Self::Status(_) => Tool::Status,
        }
    }

    /// The run it names.
    pub fn run(&self) -> Option<&str> {
        match self {
            Self::Start(_) => None,
            Self::Review(call) => call.run.as_deref(),
            Self::Simplify(call) => call.run.as_deref(),
            Self::Stop(call) => call.run.as_deref(),
            Self::Status(call) => call.run.as_deref(),
        }
    }

    /// What the machine is asked; nothing for a status, which changes nothing.
    pub fn ask(&self) -> Option<Ask> {
        let number = |files: &[String]| u32::try_from(files.len()).unwrap_or(u32::MAX);
        match self {
            Self::Start(_) => Some(Ask::Start),
            Self::Review(ReviewCall { verdict, findings, basis, .. }) => Some(Ask::Review {
                opinion: *verdict,
                findings: findings.count,
                basis: basis.as_deref().is_some_and(|basis| !basis.trim().is_empty()),
            }),
            Self::Simplify(SimplifyCall { changed, files, .. }) => {
                Some(Ask::Simplify { changed: *changed, files: number(files) })
            }
            Self::Stop(_) => Some(Ask::Stop),
            Self::Status(_) => None,
        }
    }

    /// The files that it names.
    pub fn files(&self) -> &[String] {
        match self {
            Self::Review(call) => &call.files,
            Self::Simplify(call) => &call.files,
            Self::Start(_) | Self::Stop(_) | Self::Status(_) => &[],
        }
    }

    /// Its arguments in one fixed form: equal calls have equal texts, however they were written. The run
    /// is left out, since it may be named or not.
    pub fn text(&self) -> String {
        let written = match self.clone() {
            Self::Start(call) => serde_json::to_string(&call),
            Self::Review(call) => serde_json::to_string(&ReviewCall { run: None, ..call }),
            Self::Simplify(call) => serde_json::to_string(&SimplifyCall { run: None, ..call }),
            Self::Stop(call) => serde_json::to_string(&StopCall { run: None, ..call }),
            Self::Status(_) => serde_json::to_string(&StatusCall::default()),
        };
        let arguments = written.expect("texts, numbers and lists can always be written");
        format!("{{\"{}\":{arguments}}}", self.tool())
    }
}

/// The schema of what a tool takes.
pub fn call_schema(tool: Tool) -> Schema {
    match tool {
        Tool::Start => schema_for!(StartCall),
        Tool::Review => schema_for!(ReviewCall),
        Tool::Simplify => schema_for!(SimplifyCall),
        Tool::Stop => schema_for!(StopCall),
        Tool::Status => schema_for!(StatusCall),
    }
}
