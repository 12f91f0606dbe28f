//! A loop as its callers see it.

use tribunal_phase::review_loop::{
    HunkShown, LoopStatus, MaxRounds, Phase, Progress, Standing, State, TestShown, message,
};
use tribunal_phase::{ArtifactId, RunId, SnapshotId};
use tribunal_worktree::FileDiff;

use super::definition::LoopDefinition;
use crate::compute::Artifacts;
use crate::error::RunError;
use crate::tree::{Tree, Trees};

/// Hunks are shown up to so many bytes in all.
const MOST_TEXT: usize = 48 << 10;
/// A single hunk is shown up to so many bytes.
const LONGEST_HUNK: usize = 16 << 10;
/// The end of what the tests print is shown, up to so many bytes.
const LONGEST_TAIL: usize = 4 << 10;

/// A work tree without a loop.
pub(super) fn idle(max_rounds: MaxRounds) -> LoopStatus {
    let mut status = LoopStatus {
        run: None,
        phase: Standing::Idle,
        round: 0,
        max_rounds: max_rounds.get(),
        expected_tool: State::Idle.expected(),
        verification: State::Idle.verification(),
        done_reason: None,
        findings: 0,
        files: Vec::new(),
        scope: None,
        test: None,
        hunks: Vec::new(),
        hunks_left_out: 0,
        refused: None,
        message: String::new(),
    };
    status.message = message(&status);
    status
}

/// How a loop stands.
pub(super) fn status(
    id: &RunId,
    definition: &LoopDefinition,
    state: &State,
    trees: &Trees,
    artifacts: &dyn Artifacts,
    tree: impl FnOnce() -> Result<Tree, RunError>,
) -> Result<LoopStatus, RunError> {
    let mut status = idle(definition.max_rounds);
    status.run = Some(id.to_string());
    status.scope = Some(definition.scope.clone());
    status.expected_tool = state.expected();
    status.verification = state.verification();
    status.done_reason = state.gate();
    status.phase = match state {
        State::Idle | State::Starting(_) => Standing::Idle,
        State::Open(_, phase) | State::Weighing(_, phase, _) => match phase {
            Phase::Review => Standing::Review,
            Phase::Simplify => Standing::Simplify,
        },
        State::Done(..) => Standing::Done,
    };
    if let Some(progress) = state.progress() {
        status.round = progress.round;
        status.findings = progress.findings;
        status.test = test(definition, progress, artifacts)?;
        if status.phase == Standing::Simplify {
            status.files = touched(progress, trees, tree)?;
        } else if status.phase == Standing::Review {
            let hunks = match progress.since {
                Some(since) => hunks(tree()?.unified(since, progress.shown.snapshot, trees)?),
                None => definition.range_hunks(artifacts)?,
            };
            status.files = hunks.iter().map(|hunk| hunk.file.clone()).collect();
            status.files.dedup();
            (status.hunks, status.hunks_left_out) = cut(hunks);
        }
    }
    status.message = message(&status);
    if let State::Weighing(_, _, weighed) = state {
        let tool = weighed.asked.ask.tool();
        status.message = format!("{tool} was called and is held against the tree and the tests.");
    }
    Ok(status)
}

/// The files that a refused pass was seen to have changed.
fn touched(
    progress: &Progress,
    trees: &Trees,
    tree: impl FnOnce() -> Result<Tree, RunError>,
) -> Result<Vec<String>, RunError> {
    let last = SnapshotId(progress.snapshots);
    if trees.get(&last).is_none_or(|seen| *seen == progress.shown.tree) {
        return Ok(Vec::new());
    }
    let changed = tree()?.unified(progress.shown.snapshot, last, trees)?;
    Ok(changed.into_iter().map(|file| file.path.to_string()).collect())
}

fn test(
    definition: &LoopDefinition,
    progress: &Progress,
    artifacts: &dyn Artifacts,
) -> Result<Option<TestShown>, RunError> {
    let Some(command) = definition.test_command.clone() else { return Ok(None) };
    let (exit, output_tail) = match &progress.tested {
        Some(tested) => (tested.exit, tail(artifacts, &tested.output)?),
        None => (None, String::new()),
    };
    Ok(Some(TestShown { command, exit, output_tail }))
}

fn tail(artifacts: &dyn Artifacts, output: &ArtifactId) -> Result<String, RunError> {
    let bytes = artifacts.artifact(output)?;
    let from = bytes.len().saturating_sub(LONGEST_TAIL);
    let text = String::from_utf8_lossy(&bytes[from..]);
    // A cut in the middle of a character leaves its rest.
    let text = if from > 0 { text.trim_start_matches('\u{fffd}') } else { &text };
    Ok(text.trim_end().to_owned())
}

/// Names each hunk; the names are the same whenever the same changes are shown.
pub(super) fn hunks(files: Vec<FileDiff>) -> Vec<HunkShown> {
    let texts = files.into_iter().flat_map(|file| {
        let name = match &file.was {
            Some(was) => format!("{} (was {was})", file.path),
            None => file.path.to_string(),
        };
        file.hunks.into_iter().map(move |text| (name.clone(), text))
    });
    let named = texts.zip(1..).map(|((file, text), number)| HunkShown {
        id: format!("H{number}"),
        file,
        text,
    });
    named.collect()
}

fn cut(hunks: Vec<HunkShown>) -> (Vec<HunkShown>, u32) {
    let all = hunks.len();
    let mut room = MOST_TEXT;
    let mut shown = Vec::new();
    for hunk in hunks {
        if hunk.text.len() <= LONGEST_HUNK.min(room) {
            room -= hunk.text.len();
            shown.push(hunk);
        }
    }
    let left_out = u32::try_from(all - shown.len()).unwrap_or(u32::MAX);
    (shown, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_beyond_the_limits_are_counted() {
        let hunk = |length: usize| HunkShown {
            id: String::new(),
            file: String::new(),
            text: "x".repeat(length),
        };
        for (lengths, shown, left_out) in [
            (vec![], 0, 0),
            (vec![1, LONGEST_HUNK, 2], 3, 0),
            (vec![1, LONGEST_HUNK + 1, 2], 2, 1),
            (vec![LONGEST_HUNK; 5], 3, 2),
        ] {
            let (kept, more) = cut(lengths.iter().copied().map(hunk).collect());
            assert_eq!((kept.len(), more), (shown, left_out), "{lengths:?}");
        }
    }
}
