//! What a native step is given.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tribunal_finding::{Finding, History, read_findings};
use tribunal_phase::{CallId, Heard, Role, cycle};
use tribunal_recipe::{Datum, Fields};
use tribunal_verify::Proof;
use tribunal_vote::Tally;

use super::Halt;
use crate::limits::Limits;

/// Everything a native step may look at: values, replies, evidence and the cycle so far.
pub(crate) struct Inputs {
    /// The call that it serves.
    pub(crate) call: CallId,
    /// What the cycle knows.
    pub(crate) cycle: cycle::State,
    /// The names of the frame.
    pub(crate) values: Fields,
    /// Replies of this frame's calls, in the order of their steps and turns.
    pub(crate) replies: Vec<Reply>,
    /// What the tree shows since the first fix of the cycle.
    pub(crate) proof: Proof,
    /// What the audit is held to.
    pub(crate) limits: Limits,
    /// Whether nobody is asked to fix anything.
    pub(crate) no_fix: bool,
    /// How many validators the recipe asks.
    pub(crate) validators: u32,
    /// The repository root, as agents write it in absolute paths.
    pub(crate) root: String,
    /// Figures of the whole run so far.
    pub(crate) run_figures: Datum,
}

/// One agent's reply.
pub(crate) struct Reply {
    pub(crate) call: CallId,
    pub(crate) role: Role,
    pub(crate) heard: Heard,
    pub(crate) bytes: Vec<u8>,
    /// Where the raw reply was put for people to look at.
    pub(crate) place: Option<String>,
}

impl Inputs {
    /// The reply of the call that is being read.
    pub(super) fn own_reply(&self) -> Result<&Reply, Halt> {
        self.replies
            .iter()
            .find(|reply| reply.call == self.call)
            .ok_or_else(|| Halt::recipe(format!("call {} has no reply", self.call)))
    }

    /// The value of a name, null where it is not declared.
    pub(super) fn value(&self, name: &str) -> &Datum {
        self.values.get(name).unwrap_or(&Datum::Null)
    }

    /// The findings of the cycle, as the reader of SEEK's answer left them.
    pub(super) fn findings(&self) -> Result<Vec<Finding>, Halt> {
        self.finding_list("findings")
    }

    /// Findings of earlier cycles that are still owed.
    pub(super) fn carried(&self) -> Result<Vec<Finding>, Halt> {
        self.finding_list("carried")
    }

    fn finding_list(&self, field: &str) -> Result<Vec<Finding>, Halt> {
        let list = self.value("audit_findings").field(field).cloned();
        let report = Datum::map([("findings", list.unwrap_or(Datum::List(Vec::new())))]);
        match read_findings(&report.to_json()) {
            Ok((findings, _)) => Ok(findings),
            Err(error) => Err(Halt::recipe(format!("audit_findings: {error}"))),
        }
    }

    /// The tally, counted again.
    pub(super) fn tally(&self) -> Result<Tally, Halt> {
        Tally::read(&self.value("validated_findings").to_json())
            .map_err(|error| Halt::recipe(format!("validated_findings: {error}")))
    }

    /// The history of earlier cycles; none yet is an empty one.
    pub(super) fn history(&self) -> Result<History, Halt> {
        match self.value("cycle_history") {
            Datum::Null => Ok(History::default()),
            Datum::Text(text) if text.is_empty() => Ok(History::default()),
            value => from_datum(value).map_err(|why| Halt::recipe(format!("cycle_history: {why}"))),
        }
    }
}

/// A typed value as a datum.
pub(super) fn to_datum<T: Serialize>(value: &T) -> Datum {
    let json =
        serde_json::to_string(value).expect("contract types have text keys and finite numbers");
    Datum::from_json(&json).expect("what was just written is JSON")
}

/// A datum as a typed value.
pub(super) fn from_datum<T: DeserializeOwned>(value: &Datum) -> Result<T, String> {
    serde_json::from_str(&value.to_json()).map_err(|error| error.to_string())
}
