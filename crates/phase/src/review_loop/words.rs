//! What is said to the agent, in one place.

use super::{Gate, LoopStatus, Standing, Tool, Verification};

/// What is to be done next.
pub fn message(status: &LoopStatus) -> String {
    match (status.phase, status.done_reason) {
        (_, Some(gate)) => ended(status, gate),
        (Standing::Review, None) => review(status),
        (Standing::Simplify, None) => simplify(status),
        (Standing::Idle | Standing::Done, None) => {
            format!("No loop is active on this work tree. Call {} with a scope.", Tool::Start)
        }
    }
}

const BASIS: &str = "Give a basis with one claim for each hunk, by its name.";

fn review(status: &LoopStatus) -> String {
    let scope = status.scope.as_deref().unwrap_or("the scope");
    let hunks = status.hunks.len() + status.hunks_left_out as usize;
    let what = match (hunks, status.round) {
        (0, _) => format!("Review {scope}."),
        (_, 0) => format!("Review the changes of {scope}, hunk by hunk ({hunks}). {BASIS}"),
        (_, _) => format!(
            "Review the changes since the last review, hunk by hunk ({hunks}), not the files again. Ask \
             of each whether a value, a guard, a default or an error path moved. {BASIS}"
        ),
    };
    format!("{what} {}Then call {}.", tests(status), Tool::Review)
}

fn tests(status: &LoopStatus) -> &'static str {
    match (&status.test, status.verification) {
        (None, _) => "",
        (Some(_), Verification::Passed) => "The test command passes on this tree. ",
        (Some(_), Verification::Failed) => {
            "The test command FAILS on this tree: clean will be refused. "
        }
        (Some(_), Verification::Unverified) => "The test command is run before clean is accepted. ",
    }
}

fn simplify(status: &LoopStatus) -> String {
    let seen = if status.files.is_empty() {
        String::new()
    } else {
        format!(" git saw changes in: {}.", status.files.join(", "))
    };
    format!(
        "{} findings are open. Make one pass that answers them and preserves behaviour, then call {} with \
         the files you changed; with changed=false if nothing is left to change.{seen}",
        status.findings,
        Tool::Simplify
    )
}

fn ended(status: &LoopStatus, gate: Gate) -> String {
    let findings = status.findings;
    match gate {
        Gate::ReviewClean => {
            let verified = match status.verification {
                Verification::Passed => "the test command passes on this tree",
                Verification::Failed | Verification::Unverified => "nothing was tested",
            };
            let claim = if status.round > 0 {
                "; a claim to verify: behaviour preservation is not checked"
            } else {
                ""
            };
            format!("review_clean: a review found nothing to change, and {verified}{claim}.")
        }
        Gate::NothingLeft => {
            format!("nothing_left: the pass changed nothing, and {findings} findings stay open.")
        }
        Gate::BudgetExhausted => format!(
            "budget_exhausted: {} simplify passes were made and reviewed, and {findings} findings stay \
             open.",
            status.round
        ),
        Gate::Stopped => "stopped: somebody ended the loop by hand.".to_owned(),
    }
}

/// The answer as lines for people; texts of agents are as they came.
pub fn lines(status: &LoopStatus) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(refused) = &status.refused {
        lines.push(format!("refused: {refused}"));
    }
    let run = status.run.as_deref().unwrap_or("-");
    let phase = match status.phase {
        Standing::Idle => "idle",
        Standing::Review => "review",
        Standing::Simplify => "simplify",
        Standing::Done => "done",
    };
    lines.push(format!(
        "run {run}: {phase}, round {} of {}, {} findings, {}",
        status.round,
        status.max_rounds,
        status.findings,
        match status.verification {
            Verification::Passed => "tests passed",
            Verification::Failed => "tests failed",
            Verification::Unverified => "unverified",
        }
    ));
    lines.push(status.message.clone());
    if status.verification == Verification::Failed
        && let Some(test) = &status.test
    {
        lines.push(format!("$ {}", test.command));
        lines.push(test.output_tail.clone());
    }
    for hunk in &status.hunks {
        lines.push(format!("{} {}", hunk.id, hunk.file));
        lines.push(hunk.text.clone());
    }
    if status.hunks_left_out > 0 {
        lines.push(format!("{} more hunks are not shown", status.hunks_left_out));
    }
    lines
}
