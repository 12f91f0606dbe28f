//! What a record holds.

use serde::{Deserialize, Serialize};
use tribunal_phase::review_loop::State;
use tribunal_phase::{ArtifactId, CallId, Event, Outcome, Refusal, SnapshotId, TreeId, What};

/// What a record holds; effects are never stored (DESIGN §3, flow 8).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Body {
    /// An event that the machine took.
    Event(Event),
    /// An event that the machine refused; its state did not change.
    Refused {
        /// What came.
        event: Event,
        /// The machine's answer.
        refusal: Refusal,
    },
    /// Something that no machine sees and the run must remember.
    Note(Note),
}

/// Something that no machine sees and the run must remember.
///
/// A kind that is added raises the format's minor version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Note {
    /// The definition that the whole run follows; the first record of every run.
    Defined {
        /// Recipe text, settings, profiles and tool version.
        definition: ArtifactId,
    },
    /// An agent was chosen for one launch of a call.
    Agent {
        /// The call.
        call: CallId,
        /// Launches of this call, from 1.
        attempt: u32,
        /// The agent's name in the settings.
        agent: String,
        /// The model it was asked to use, where one was chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// What a child wrote to standard error.
    Stderr {
        /// The call it served.
        call: CallId,
        /// Launches of this call, from 1.
        attempt: u32,
        /// All of it.
        artifact: ArtifactId,
    },
    /// Where a snapshot lives, for those who restore it.
    Snapshot {
        /// Its number.
        snapshot: SnapshotId,
        /// The ref or path that holds it.
        place: String,
    },
    /// Something that was said to the user.
    Warned {
        /// The line, as it was printed.
        text: String,
    },
    /// The last line of the journal was torn and has been dropped when the run was opened.
    TornLine {
        /// Bytes that were dropped.
        dropped: u64,
    },
    /// A call of the review loop was accepted: the whole state that it led to (D28). Compared with the
    /// fold when the run is opened, never taken over.
    AuditLoopState(Box<State>),
    /// The run came to an end, or to a pause.
    Finished {
        /// How.
        outcome: Outcome,
    },
    /// The tree is about to be put back to before the run's first write (D46); since format 1.1.
    Undoing {
        /// The snapshot from before it.
        to: SnapshotId,
        /// The snapshot that keeps what is replaced.
        replaced: SnapshotId,
        /// The state that it holds.
        tree: TreeId,
    },
    /// The tree was put back; since format 1.1.
    Undone {
        /// The snapshot from before the first write.
        to: SnapshotId,
    },
    /// The run has a work tree of its own, complete (`--isolate`); since format 1.2.
    Isolated {
        /// Whether nothing was uncommitted in the user's work tree, and so in this one.
        clean: bool,
    },
    /// What an isolated run changed is about to be brought over; since format 1.2.
    Applying {
        /// The snapshot of the user's work tree before it.
        replaced: SnapshotId,
        /// The state that it holds.
        tree: TreeId,
        /// How it is brought over.
        way: Way,
    },
    /// It was brought over; since format 1.2.
    Applied {
        /// The snapshot of the user's work tree after it.
        left: SnapshotId,
        /// The state that it holds.
        tree: TreeId,
    },
    /// It was refused, and what had been begun was taken back; since format 1.2.
    NotApplied,
    /// The check command was run on a tree; since format 1.2.
    Checked {
        /// The cycle whose fixes are looked at.
        cycle: u32,
        /// On which tree.
        tree: CheckedTree,
        /// Its exit status; `None` when it could not start, was killed or ran past its time.
        exit: Option<i32>,
        /// What it wrote to standard output and standard error.
        output: ArtifactId,
        /// The folder it ran in.
        folder: String,
    },
}

/// How the changes of an isolated run are brought over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Into the files, uncommitted.
    Patch,
    /// As a commit of the run's branch that is merged.
    Merge,
}

/// Which tree of a cycle was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckedTree {
    /// The one before its first fix.
    Before,
    /// The one after its last.
    After,
    /// The one after, without the fix of a finding.
    Without {
        /// The finding.
        finding: String,
    },
    /// The same, without the changes that its fix shares with others too.
    WithoutShared {
        /// The finding.
        finding: String,
    },
}

/// Whether a record is on the disk for certain before the run goes on.
///
/// Launched, Replied, Ran, Snapped, Finished, Undoing, Applying and Checked are: a call must not be paid twice, and a tree must
/// not be changed that cannot be put back. All others ride along with the next of these; what is
/// lost of them is derived again (DESIGN §3, flow 8).
pub fn must_sync(body: &Body) -> bool {
    match body {
        Body::Event(event) => match event.what {
            What::Launched { .. }
            | What::Replied { .. }
            | What::Ran { .. }
            | What::Snapped { .. } => true,
            What::Began
            | What::Resumed
            | What::Guarded { .. }
            | What::Restored { .. }
            | What::Kept { .. }
            | What::Computed { .. }
            | What::Asked(_)
            | What::Compared { .. }
            | What::TimerFired { .. }
            | What::Interrupted { .. } => false,
        },
        Body::Refused { .. } => false,
        Body::Note(note) => match note {
            Note::Finished { .. }
            | Note::Undoing { .. }
            | Note::AuditLoopState(_)
            | Note::Applying { .. }
            | Note::Checked { .. } => true,
            Note::Defined { .. }
            | Note::Agent { .. }
            | Note::Stderr { .. }
            | Note::Snapshot { .. }
            | Note::Warned { .. }
            | Note::TornLine { .. }
            | Note::Undone { .. }
            | Note::Isolated { .. }
            | Note::Applied { .. }
            | Note::NotApplied => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use tribunal_phase::{Fault, FrameId, Guarded, Heard, StepId, TreeId, Usage};

    use super::*;

    fn check(body: &Body, expected: bool) {
        assert_eq!(must_sync(body), expected, "{body:?}");
    }

    #[test]
    fn what_costs_money_or_changes_the_tree_is_synced() {
        let call = CallId { frame: FrameId(1), step: StepId::new("seek"), turn: 1 };
        let id = ArtifactId::new("ab");
        let event = |what| Body::Event(Event { at: 1, what });
        check(&event(What::Launched { call: call.clone(), attempt: 1, prompt: id.clone() }), true);
        let heard = Heard::Fault(Fault::Deadline);
        check(
            &event(What::Replied {
                call: call.clone(),
                heard,
                usage: Usage::default(),
                reply: Some(id.clone()),
            }),
            true,
        );
        check(&event(What::Ran { call: call.clone(), exit: Some(0), output: id.clone() }), true);
        check(&event(What::Snapped { snapshot: SnapshotId(1), tree: TreeId::new("t") }), true);
        check(&Body::Note(Note::Finished { outcome: Outcome::Completed }), true);
        let (to, replaced) = (SnapshotId(1), SnapshotId(4));
        check(&Body::Note(Note::Undoing { to, replaced, tree: TreeId::new("t") }), true);
        check(&Body::Note(Note::Undone { to }), false);
        check(&Body::Note(Note::AuditLoopState(Box::new(State::Idle))), true);
        let (tree, way) = (TreeId::new("t"), Way::Patch);
        check(&Body::Note(Note::Applying { replaced, tree, way }), true);
        check(&event(What::Began), false);
        check(&event(What::Resumed), false);
        check(&event(What::Guarded { call: call.clone(), answer: Guarded::Go }), false);
        check(&event(What::Restored { snapshot: SnapshotId(1) }), false);
        check(&event(What::Kept { call: call.clone(), place: "p".to_owned() }), false);
        check(&event(What::Interrupted { signal: 15 }), false);
        check(&Body::Note(Note::Defined { definition: id.clone() }), false);
        check(&Body::Note(Note::Stderr { call, attempt: 1, artifact: id }), false);
    }
}
