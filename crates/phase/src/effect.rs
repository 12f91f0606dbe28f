//! What is due next, as the machines order it.

use crate::review_loop::Answer;
use crate::{Access, CallId, Contract, FrameId, Millis, Outcome, Role, SnapshotId, Timer};

/// One thing to do. Starting it never waits; its end is a later event.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Evaluate the condition of a step, or the `until` of a loop; ends in `Guarded`.
    Guard(CallId),
    /// Ask an agent; `Launched` when it starts, ends in `Replied`.
    Ask {
        /// The call.
        call: CallId,
        /// Launches of this call, from 1.
        attempt: u32,
        /// The part it plays.
        role: Role,
        /// What it may touch.
        access: Access,
    },
    /// Run a command of the recipe; ends in `Ran`.
    Run {
        /// The call.
        call: CallId,
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// End these calls' children; what they were saying is not waited for.
    End(Vec<CallId>),
    /// Take a snapshot of the work tree; ends in `Snapped`.
    Snap {
        /// The number it gets.
        snapshot: SnapshotId,
        /// What it is for.
        why: SnapReason,
    },
    /// Put the tree back to a snapshot; ends in `Restored`.
    Restore(SnapshotId),
    /// Keep a raw reply where people find it; ends in `Kept`.
    Keep {
        /// The call whose reply it is.
        call: CallId,
        /// Who said it: the validator's position.
        validator: u8,
    },
    /// Compute a pure step; ends in `Computed`.
    Compute {
        /// The call.
        call: CallId,
        /// What is computed.
        native: Native,
    },
    /// Hold the files that a call names against what changed between two snapshots; ends in
    /// `Compared`.
    Compare {
        /// The earlier one.
        before: SnapshotId,
        /// The later one.
        after: SnapshotId,
    },
    /// Answer the tool call that is open.
    Answer(Answer),
    /// Start a timer; started again with what is left on resume.
    Arm {
        /// Which.
        timer: Timer,
        /// How long it runs.
        left: Millis,
    },
    /// Stop a timer.
    Disarm(Timer),
    /// Make a new context for the next cycle on top of the present one.
    Enter(FrameId),
    /// Give the frame's value to the one below and drop it.
    Leave(FrameId),
    /// Tell the user.
    Say(Saying),
    /// The run has come to an end, or to a pause.
    Finish(Outcome),
}

/// What is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Native {
    /// The reader of a contract, over the call's reply.
    Read(Contract),
    /// A native step of the recipe.
    Step,
}

/// What a snapshot is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapReason {
    /// The state before children start.
    Before,
    /// The state after they have ended.
    After,
    /// Whether the tree still moves although no child runs.
    Still,
    /// The state an interrupted or faulted call left behind.
    Left,
}

/// What a machine has to say to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saying {
    /// Read-only calls changed the tree; their state is kept, the tree is put back.
    WroteInReadOnlyRole {
        /// The calls.
        calls: Vec<CallId>,
        /// Where the state they left is kept.
        kept: SnapshotId,
        /// Whether each is asked again, alone.
        again: bool,
    },
    /// The tree changed while no child ran: the user is editing, nothing is put back.
    TreeMovedByUser {
        /// The snapshot of the tree as it is now.
        snapshot: SnapshotId,
    },
    /// A write call was interrupted or failed; its state is kept, the tree is put back.
    WriteUndone {
        /// The call.
        call: CallId,
        /// Where the state it left is kept.
        kept: SnapshotId,
    },
}
