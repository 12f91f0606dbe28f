//! The JSON that the scripted agent reads (its scenario) and appends (its log).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What the scripted agent plays: `scripted-agent SCENARIO.json`, the prompt on standard input.
///
/// ```json
/// {
///   "log": "/somewhere/agents.jsonl",
///   "faults": [
///     {"id": "F1", "file": "src/cart.py", "find": "except: pass", "replace": "except KeyError: raise"}
///   ],
///   "acts": [
///     {"role": "fixer", "turn": 1, "act": "liar"},
///     {"step": "validate-agent-2", "cycle": 1, "act": {"all": [{"slow": 1000}, "fenced"]}}
///   ]
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Where each call appends two [`Stamp`]s as JSON lines; nothing is logged without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<PathBuf>,
    /// The faults that stand in the repository.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// Who acts how; the first cue that fits a call counts, without one the call is honest.
    #[serde(default)]
    pub acts: Vec<Cue>,
}

/// A fault that was planted, and how it is mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The id that the seeker reports it under.
    pub id: String,
    /// Reported as it stands here, so that also a word no contract knows can be reported.
    #[serde(default = "Fault::usual_category")]
    pub category: String,
    /// Reported as it stands here.
    #[serde(default = "Fault::usual_severity")]
    pub severity: String,
    /// Path below the repository root.
    pub file: String,
    /// The faulty text; the fault is there as long as its file holds this.
    pub find: String,
    /// What the fixer puts in its place.
    pub replace: String,
    /// What the seeker says about it; blank gets a sentence of the agent's.
    #[serde(default)]
    pub description: String,
    /// The first cycle in which a seeker sees it.
    #[serde(default = "Fault::first_cycle")]
    pub from_cycle: u32,
}

impl Fault {
    pub(crate) fn usual_category() -> String {
        "reliability".to_owned()
    }

    pub(crate) fn usual_severity() -> String {
        "high".to_owned()
    }

    pub(crate) fn first_cycle() -> u32 {
        1
    }
}

/// Which calls act how; a part that is left out fits every call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cue {
    /// `TRIBUNAL_ROLE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// `TRIBUNAL_STEP`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// `TRIBUNAL_CYCLE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u32>,
    /// The last number of `TRIBUNAL_CALL`, which is `frame/step/turn`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// What such a call does.
    pub act: Act,
}

/// The roles that a call may have (D41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the words of D41")]
pub enum Role {
    Seeker,
    Validator,
    Fixer,
    Diagnostician,
    Worker,
    Quality,
    Evaluator,
    Investigator,
    Summarizer,
}

/// How a call acts: what it does, how it says so, and how it ends.
///
/// Honest work is: a *seeker* reports each fault that still stands in its file, with line and
/// evidence; a *validator* confirms each finding of the prompt; a *fixer* mends the confirmed and
/// the carried findings and reports that; every other role answers in prose. Data is taken from the
/// prompt's blocks `audit_findings` and `validated_findings`, whatever their mark; without them
/// every known fault is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Works honestly and answers with bare JSON.
    Honest,

    /// Says the answer between sentences that hold braces of their own.
    Prose,
    /// Says the answer in a ```` ```json ```` fence after a sentence.
    Fenced,
    /// Says two JSON log lines before the answer.
    LogsFirst,
    /// Works, and says nothing.
    Silent,
    /// Says text that holds no JSON.
    Garbage,
    /// Says a JSON object of no contract.
    NoBallot,
    /// Says the answer's shape with placeholders, as a model does that echoes its prompt.
    TemplateEcho,
    /// Says this text and nothing else.
    Say(String),

    /// Validator: votes for each finding twice.
    DoubleVoter,
    /// Validator: confirms and rejects each finding.
    ContradictingVoter,
    /// Validator: calls each finding a false positive.
    Rejects,

    /// Fixer: claims every fix and writes nothing.
    Liar,
    /// Fixer: mends the first finding that still stands, and reports that one alone.
    Partial,
    /// Fixer: skips every finding with this reason.
    Excuses(String),
    /// Fixer: mends, then commits its files.
    Committer,
    /// Fixer: mends, then stages its files.
    Stager,
    /// Fixer: writes a new, untracked file and claims it as the fix of every finding.
    NewFile {
        /// Path below the repository root.
        path: String,
        /// Content of the file.
        text: String,
    },

    /// Appends a line to this file, whatever the role may do.
    WritesAlthoughReadOnly(String),
    /// Waits this many milliseconds before it works.
    Slow(u64),
    /// Says this many bytes of filler lines on standard output, and as many on standard error,
    /// before the answer.
    Flood(u64),
    /// Works and answers, then ends with this exit code.
    Exit(i32),
    /// Works and answers, then never ends; with [`Act::Silent`] it is mute.
    Hang,

    /// Several at once; of two that exclude each other the later counts.
    All(Vec<Act>),
}

/// One line of the log: a call started to work, or is about to end.
///
/// A call that hangs or is killed has no stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// `TRIBUNAL_CALL`.
    pub call: String,
    /// `TRIBUNAL_ROLE`.
    pub role: Role,
    /// `TRIBUNAL_STEP`.
    pub step: String,
    /// `TRIBUNAL_CYCLE`.
    pub cycle: u32,
    /// Which end of the call this is.
    pub event: Moment,
    /// Nanoseconds of the machine's monotonic clock, comparable between processes.
    pub monotonic_nanos: u64,
    /// Nanoseconds since 1970.
    pub unix_nanos: u64,
    /// The process.
    pub pid: u32,
}

/// Which end of a call a stamp marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// The scenario is read, nothing is done yet.
    Start,
    /// Everything is done and said.
    Stop,
}
