//! Signals and time limits: the run stops in order, nothing stays behind, and it can go on.

use std::time::{Duration, Instant};

use tribunal_test_support::{
    Act, Cue, Outcome, Role, Running, Signal, processes_with_argument, wait_until,
};

use crate::stage::{ONE_CYCLE, Stage, holds, json, lacks, swallowed};

const PATIENCE: Duration = Duration::from_secs(30);

/// What the dispatcher leaves a child after it asked it to end.
const GRACE: Duration = Duration::from_secs(3);

fn hanging(role: Role) -> Stage {
    Stage::new([swallowed()]).cue(Cue::to(Act::Hang).role(role))
}

/// Starts an audit and waits until a call of this step is at work.
fn at_work(stage: &Stage, step: &str) -> Running {
    let running = stage.audit(&ONE_CYCLE).spawn();
    wait_until(|| stage.times_asked(step) > 0, PATIENCE, step);
    running
}

/// Requires that no agent of the stage lives on.
#[track_caller]
fn nobody_is_left(stage: &Stage) {
    let left = processes_with_argument(&stage.scenario_file());
    assert!(left.is_empty(), "{left:?}");
}

/// The hanging agent is honest from now on, and the run goes on to a good end.
#[track_caller]
fn goes_on(stage: &Stage) -> Outcome {
    stage.make_everybody_honest();
    let outcome = stage.tribunal(&["runs", "resume", &stage.run_id()]).run();
    outcome.expect_code(0);
    holds(&outcome.stdout, "VERIFY: PASS");
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
    assert_eq!(stage.changed(), [" M src/cart.py"]);
    outcome
}

#[track_caller]
fn check_signal(signal: Signal, code: i32, role: Role, step: &str) {
    let stage = hanging(role);
    let running = at_work(&stage, step);
    running.signal(signal);
    let outcome = running.wait();
    outcome.expect_code(code);
    nobody_is_left(&stage);
    holds(&outcome.stdout, "did not complete: paused");
    holds(&outcome.stdout, "resume with");
    holds(&outcome.stdout, &format!("tribunal runs resume {}", stage.run_id()));
    goes_on(&stage);
}

#[test]
fn an_interrupt_ends_the_seeker_and_the_run_goes_on_later() {
    check_signal(Signal::INT, 130, Role::Seeker, "seek");
}

#[test]
fn a_termination_ends_three_validators_and_the_run_goes_on_later() {
    check_signal(Signal::TERM, 143, Role::Validator, "validate-agent-3");
}

#[test]
fn a_run_does_not_follow_git_settings_to_another_folder() {
    let stage = hanging(Role::Fixer);
    let running = at_work(&stage, "fix");
    running.signal(Signal::INT);
    running.wait().expect_code(130);
    let elsewhere = stage.repo.path("src");
    stage.repo.git(&["config", "core.worktree", &elsewhere.display().to_string()]);
    let before = std::fs::read(stage.repo.path("src/cart.py")).expect("it is there");
    let outcome = stage.tribunal(&["runs", "resume", &stage.run_id()]).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "git now has its work tree at");
    assert_eq!(std::fs::read(stage.repo.path("src/cart.py")).expect("it stays"), before);
    stage.repo.git(&["config", "--unset", "core.worktree"]);
    goes_on(&stage);
}

#[test]
fn a_hang_up_ends_a_fixer_and_what_it_had_done_is_put_back_before_it_is_asked_again() {
    check_signal(Signal::HUP, 129, Role::Fixer, "fix");
}

#[test]
fn a_second_interrupt_waits_for_nobody() {
    let stage = Stage::new([swallowed()]);
    let ready = stage.sandbox.root().join("ready");
    let script = format!("trap '' TERM INT; : > '{}'; while :; do sleep 1; done", ready.display());
    let file = stage.sandbox.root().join("stubborn.sh");
    std::fs::write(&file, script).expect("the sandbox can be written");
    let command = format!("bash '{}'", file.display());
    let running = stage.tribunal(&["audit", ".", "--agent-command", &command]).spawn();
    wait_until(|| ready.exists(), PATIENCE, "the agent is at work");
    let start = Instant::now();
    running.signal(Signal::INT);
    wait_until(|| !stage.events("interrupted").is_empty(), PATIENCE, "the first is on record");
    running.signal(Signal::INT);
    running.wait().expect_code(130);
    assert!(start.elapsed() < GRACE, "{:?}", start.elapsed());
    let left = processes_with_argument(file.to_str().expect("UTF-8"));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_cycle_past_its_time_pauses_with_4_names_the_step_and_can_go_on() {
    let stage = hanging(Role::Seeker);
    let outcome = stage.audit(&ONE_CYCLE).args(&["--cycle-timeout", "1"]).run();
    outcome.expect_code(4);
    holds(&outcome.stdout, "seek");
    holds(&outcome.stdout, "did not complete");
    nobody_is_left(&stage);
    goes_on(&stage);
}

#[test]
fn summary_and_self_improvement_do_not_count_for_the_time_of_a_cycle() {
    let cue = Cue::to(Act::Slow(1_200)).role(Role::Summarizer);
    let stage = Stage::new([]).cue(cue);
    stage.audit(&ONE_CYCLE).args(&["--cycle-timeout", "2"]).run().expect_code(0);
}

#[test]
fn a_run_that_has_ended_cannot_be_resumed_and_shows_its_report_again() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    let run = stage.run_id();
    let refused = stage.tribunal(&["runs", "resume", &run]).run();
    refused.expect_code(2);
    holds(&refused.stderr, "has ended");
    let shown = stage.tribunal(&["runs", "show", &run]).run();
    shown.expect_code(0);
    assert_eq!(shown.stdout, outcome.stdout);
    let listed = stage.tribunal(&["runs", "list"]).run();
    listed.expect_code(0);
    for part in [run.as_str(), "quality-audit-cycle", "completed"] {
        holds(&listed.stdout, part);
    }
}

#[test]
fn a_run_that_is_at_work_cannot_be_resumed_by_another_process() {
    let stage = hanging(Role::Seeker);
    let running = at_work(&stage, "seek");
    let outcome = stage.tribunal(&["runs", "resume", &stage.run_id()]).run();
    outcome.expect_code(3);
    holds(&outcome.stderr, "remedy: wait for the other process");
    running.signal(Signal::TERM);
    running.wait().expect_code(143);
}

#[test]
fn a_paused_run_says_so_wherever_it_is_looked_at_and_is_resumed_by_the_start_of_its_id() {
    let stage = hanging(Role::Fixer);
    let running = at_work(&stage, "fix");
    running.signal(Signal::TERM);
    running.wait().expect_code(143);
    let listed = stage.tribunal(&["runs", "list"]).run();
    listed.expect_code(0);
    holds(&listed.stdout, "paused, can be resumed");
    let run = stage.run_id();
    let shown = stage.tribunal(&["runs", "show", &run, "--json"]).run();
    shown.expect_code(0);
    let report = json(&shown.stdout);
    assert_eq!(report["complete"], false);
    assert_eq!(report["outcome"]["kind"], "paused");
    assert_eq!(report["findings"][0]["vote"]["confirmed"], 3, "what is known is shown");
    assert_eq!(report["findings"][0]["fate"]["kind"], "undecided");
    stage.make_everybody_honest();
    stage.tribunal(&["runs", "resume", &run[..12]]).run().expect_code(0);
    assert_eq!(stage.times_asked("validate-agent-1"), 1, "what was answered is not asked again");
}

#[test]
fn findings_that_stay_open_fail_a_resumed_run_where_that_is_asked_for() {
    let stage = hanging(Role::Validator);
    let running = stage.audit(&ONE_CYCLE).args(&["--no-fix"]).spawn();
    wait_until(|| stage.times_asked("validate-agent-1") > 0, PATIENCE, "a validator");
    running.signal(Signal::INT);
    running.wait().expect_code(130);
    stage.make_everybody_honest();
    let resume = ["runs", "resume", &stage.run_id(), "--fail-on", "medium"];
    stage.tribunal(&resume).run().expect_code(1);
    assert!(stage.changed().is_empty(), "the options of the beginning hold");
}

#[test]
fn no_run_is_called_so() {
    let stage = Stage::new([]);
    let outcome = stage.tribunal(&["runs", "show", "nobody"]).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "tribunal runs list");
}

#[test]
fn what_the_user_changes_while_a_run_is_down_is_neither_blamed_nor_put_back() {
    for role in [Role::Seeker, Role::Validator] {
        let stage = hanging(role);
        let step = if role == Role::Seeker { "seek" } else { "validate-agent-1" };
        let running = at_work(&stage, step);
        running.signal(Signal::KILL);
        assert_eq!(running.wait().signal(), Some(9));
        stage.repo.write("mine.txt", "written while the run was down");
        stage.make_everybody_honest();
        let outcome = stage.tribunal(&["runs", "resume", &stage.run_id()]).run();
        outcome.expect_code(0);
        assert_eq!(stage.repo.read("mine.txt"), "written while the run was down");
        lacks(&outcome.stderr, "in a read-only role");
    }
}

#[test]
fn two_runs_do_not_work_on_one_tree_at_a_time() {
    let stage = hanging(Role::Validator);
    let running = at_work(&stage, "validate-agent-1");
    let second = stage.audit(&ONE_CYCLE).run();
    second.expect_code(3);
    holds(&second.stderr, "another run is at work on this tree");
    holds(&second.stderr, "remedy: wait for the other process");
    running.signal(Signal::INT);
    running.wait().expect_code(130);
}
