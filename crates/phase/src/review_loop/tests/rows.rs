//! The reference's test table, and what the tree and the tests add to it.

use super::*;

/// What an agent does in a row.
enum Act {
    /// A call, with what its answer begins with.
    Call(Asked, &'static str),
    /// An edit of the tree.
    Edit,
    /// The tests end like this from now on.
    Tests(Option<i32>),
    /// So many runs of the tests write files.
    Writes(u32),
    /// So many of the named files did not change.
    Unfounded(u32),
}

use Act::{Call, Edit, Tests, Unfounded, Writes};

/// `phase round verification`, or the gate in place of the phase.
fn standing(state: &State) -> String {
    let place = match state {
        State::Idle => return "idle".to_owned(),
        State::Starting(_) => return "starting".to_owned(),
        State::Open(_, phase) => format!("{phase:?}"),
        State::Weighing(_, phase, _) => format!("weighing {phase:?}"),
        State::Done(_, gate) => format!("{gate:?}"),
    };
    let progress = state.progress().expect("it has begun");
    format!("{place} {} {:?}", progress.round, progress.verification())
}

#[track_caller]
fn check(machine: ReviewLoop, acts: &[Act], expected: &str) -> State {
    let (mut state, mut world) = (State::Idle, World::default());
    for act in acts {
        match act {
            Edit => world.tree += 1,
            Tests(exit) => world.exit = *exit,
            Writes(runs) => world.writes = *runs,
            Unfounded(files) => world.unfounded = *files,
            Call(asked, beginning) => {
                let (next, answer) = call(machine, &state, &mut world, asked);
                let said = match &answer {
                    Answer::Accepted => "accepted".to_owned(),
                    Answer::Repeated => "repeated".to_owned(),
                    Answer::Refused(refusal) => refusal.to_string(),
                };
                assert!(said.starts_with(beginning), "{asked:?}: {said}, not {beginning}");
                state = next;
            }
        }
    }
    assert_eq!(standing(&state), expected);
    state
}

fn ok(asked: Asked) -> Act {
    Call(asked, "accepted")
}

fn begun() -> Act {
    ok(start("src"))
}

/// A pass that changes one file.
fn pass() -> [Act; 2] {
    [Edit, ok(simplify(true, 1))]
}

fn rows(parts: impl IntoIterator<Item = Vec<Act>>) -> Vec<Act> {
    parts.into_iter().flatten().collect()
}

#[test]
fn the_reference_table() {
    let plain = machine(3, false);
    check(plain, &[begun()], "Review 0 Unverified");
    check(plain, &[begun(), ok(clean(false))], "ReviewClean 0 Unverified");
    let state = check(plain, &[begun(), ok(changes(3))], "Simplify 0 Unverified");
    assert_eq!(state.progress().map(|progress| progress.findings), Some(3));
    let contradiction = "changes_requested with 0 findings does not fit the review phase; \
                         expected audit_review";
    check(plain, &[begun(), Call(changes(0), contradiction)], "Review 0 Unverified");
    let early = "audit_review does not fit a loop that has not begun; expected audit_loop_start";
    check(plain, &[Call(clean(false), early)], "idle");
    let wrong = "audit_review does not fit the simplify phase; expected audit_simplify";
    check(plain, &[begun(), ok(changes(1)), Call(clean(true), wrong)], "Simplify 0 Unverified");
    check(plain, &[begun(), ok(changes(1)), ok(simplify(false, 0))], "NothingLeft 0 Unverified");
    check(plain, &rows([vec![begun(), ok(changes(1))], pass().into()]), "Review 1 Unverified");
    let listed =
        "changed=false with files does not fit the simplify phase; expected audit_simplify";
    check(
        plain,
        &[begun(), ok(changes(1)), Call(simplify(false, 2), listed)],
        "Simplify 0 Unverified",
    );
    let unlisted = "changed=true without files does not fit";
    check(
        plain,
        &[begun(), ok(changes(1)), Call(simplify(true, 0), unlisted)],
        "Simplify 0 Unverified",
    );
    let early = "audit_simplify does not fit the review phase; expected audit_review";
    check(plain, &[begun(), Call(simplify(true, 1), early)], "Review 0 Unverified");
    check(plain, &[begun(), ok(stop())], "Stopped 0 Unverified");
    check(plain, &[begun(), ok(changes(1)), ok(stop())], "Stopped 0 Unverified");
    let again = "audit_loop_start does not fit the review phase; expected audit_review";
    check(plain, &[begun(), Call(start("other"), again)], "Review 0 Unverified");
}

/// DESIGN differs (1, D26): `clean` with findings is refused, and the findings are not taken over.
#[test]
fn clean_with_findings_is_refused() {
    let refused = "clean with 3 findings does not fit the review phase; expected audit_review";
    let asked = review(Opinion::Clean, 3, true);
    let state = check(machine(3, false), &[begun(), Call(asked, refused)], "Review 0 Unverified");
    assert_eq!(state.progress().map(|progress| progress.findings), Some(0));
}

/// DESIGN differs (2, D27): `clean` needs tests that pass on the tree that was shown.
#[test]
fn clean_needs_a_passing_test_on_the_tree_that_was_shown() {
    let tested = machine(3, true);
    check(tested, &[begun(), ok(clean(false))], "ReviewClean 0 Passed");
    let red = "clean with a test_command that fails (exit 1) does not fit the review phase";
    check(tested, &[begun(), Tests(Some(1)), Call(clean(false), red)], "Review 0 Failed");
    let hung = "clean with a test_command that did not end by itself";
    check(tested, &[begun(), Tests(None), Call(clean(false), hung)], "Review 0 Failed");
    let red_again = [begun(), Tests(Some(1)), Call(clean(false), red), Tests(Some(0))];
    check(tested, &rows([red_again.into(), vec![ok(clean(false))]]), "ReviewClean 0 Passed");

    let moved = "clean on a tree that is not the one shown";
    let edited = vec![begun(), Edit, Call(clean(true), moved)];
    let state = check(tested, &edited, "Review 0 Unverified");
    let since = state.progress().and_then(|progress| progress.since);
    assert_eq!(since, Some(snapshot(1)), "the edit is shown to the review");
    let basis = "a review of changes without a basis";
    check(tested, &rows([edited, vec![Call(clean(false), basis)]]), "Review 0 Unverified");
    let looked_at = vec![begun(), Edit, Call(clean(true), moved), ok(clean(true))];
    check(tested, &looked_at, "ReviewClean 0 Passed");
}

#[test]
fn a_test_that_writes_files_runs_once_more_on_what_it_wrote() {
    let tested = machine(3, true);
    let first = [begun(), ok(changes(1)), Writes(1), Edit, ok(simplify(true, 1))];
    check(tested, &first, "Review 1 Passed");
    let always = [begun(), ok(changes(1)), Writes(9), Edit, ok(simplify(true, 1))];
    check(tested, &always, "Review 1 Unverified");
    let never = "clean with a test_command that changes the tree each time it runs";
    check(tested, &[begun(), Writes(9), Call(clean(false), never)], "Review 0 Unverified");
    let moved = "clean on a tree that is not the one shown";
    let shown = vec![begun(), Writes(1), Call(clean(false), moved)];
    check(tested, &shown, "Review 0 Passed");
    check(tested, &rows([shown, vec![ok(clean(true))]]), "ReviewClean 0 Passed");
    let red = [begun(), ok(changes(1)), Tests(Some(2)), Writes(9), Edit, ok(simplify(true, 1))];
    check(tested, &red, "Review 1 Failed");
}

/// DESIGN differs (3, D27): the last pass is reviewed; only a review that asks for more spends the budget.
#[test]
fn the_budget_is_spent_by_the_review_after_the_last_pass() {
    let one = machine(1, true);
    let full = || rows([vec![begun(), ok(changes(2))], pass().into()]);
    check(one, &full(), "Review 1 Passed");
    check(one, &rows([full(), vec![ok(changes(1))]]), "BudgetExhausted 1 Passed");
    check(one, &rows([full(), vec![ok(clean(true))]]), "ReviewClean 1 Passed");
    let two =
        rows([vec![begun(), ok(changes(2))], pass().into(), vec![ok(changes(1))], pass().into()]);
    check(machine(2, false), &two, "Review 2 Unverified");
}

/// DESIGN differs (4, D25): a call that is repeated gets its first answer and is not applied twice (LO-12).
#[test]
fn a_repeated_call_is_answered_and_changes_nothing() {
    let plain = machine(3, false);
    let again = |asked| Call(asked, "repeated");
    check(plain, &[begun(), again(start("src"))], "Review 0 Unverified");
    check(plain, &[begun(), ok(changes(1)), again(changes(1))], "Simplify 0 Unverified");
    let twice =
        rows([vec![begun(), ok(changes(1))], pass().into(), vec![again(simplify(true, 1))]]);
    check(plain, &twice, "Review 1 Unverified");
    check(plain, &[begun(), ok(clean(true)), again(clean(true))], "ReviewClean 0 Unverified");
    check(plain, &[begun(), ok(stop()), again(stop())], "Stopped 0 Unverified");
    let late = "audit_review does not fit a loop that is done; expected audit_loop_start";
    check(plain, &[begun(), ok(stop()), Call(clean(true), late)], "Stopped 0 Unverified");
    let done = [begun(), ok(clean(true)), ok(stop())];
    check(plain, &done, "ReviewClean 0 Unverified");
    let equal_passes =
        rows([vec![begun(), ok(changes(1))], pass().into(), vec![ok(changes(1))], pass().into()]);
    check(plain, &equal_passes, "Review 2 Unverified");
}

/// D26, D28: what is claimed of files is held against the tree.
#[test]
fn a_pass_is_what_git_sees_of_it() {
    let plain = machine(3, false);
    let nothing = "changed=true, and git sees no change,";
    check(
        plain,
        &[begun(), ok(changes(1)), Call(simplify(true, 1), nothing)],
        "Simplify 0 Unverified",
    );
    let after_all = "changed=false, and git sees changes,";
    let quiet = [begun(), ok(changes(1)), Edit, Call(simplify(false, 0), after_all)];
    check(plain, &quiet, "Simplify 0 Unverified");
    let unfounded = "changed=true with 2 of the files not changed";
    let liar = [begun(), ok(changes(1)), Edit, Unfounded(2), Call(simplify(true, 3), unfounded)];
    check(plain, &liar, "Simplify 0 Unverified");
    let edited_in_review = [begun(), Edit, ok(changes(1)), ok(simplify(true, 1))];
    let state = check(plain, &edited_in_review, "Review 1 Unverified");
    let since = state.progress().and_then(|progress| progress.since);
    assert_eq!(since, Some(snapshot(1)), "an edit during the review is part of the next diff");
}

/// LO-10.
#[test]
fn a_contradiction_changes_neither_phase_nor_round() {
    let zero = "changes_requested with 0 findings";
    let some = "clean with 3 findings";
    let wrong = "audit_simplify does not fit the review phase; expected audit_review";
    let acts = [
        begun(),
        Call(changes(0), zero),
        Call(review(Opinion::Clean, 3, false), some),
        Call(simplify(true, 1), wrong),
        ok(clean(false)),
    ];
    check(machine(3, false), &acts, "ReviewClean 0 Unverified");
}
