//! Models and tools that fail behind a real agent: every one ends in a named fault, and nothing stays.

use std::time::Duration;

use tribunal_test_support::{Signal, Turn, processes_with_argument, wait_until};

use super::installed::{Agent, Machine};
use super::whole_audits::{honest, machine};

/// An audit whose seeker meets this ends with 3 and says why.
fn check(agent: Agent, turn: Turn, deadline: u32, expected: &str) {
    if agent.program().is_none() {
        return;
    }
    let machine = Machine::new(deadline, move |_, _| turn.clone());
    machine.repo.write("a.py", "x = 1\n").commit_all("code");
    let outcome = machine.audit(&["--agent", agent.name()]).run();
    let said = &outcome.expect_code(3).stderr;
    assert!(said.contains(expected), "{agent:?}: expected {expected:?}\n{said}");
    assert_eq!(machine.repo.git(&["diff", "HEAD"]), "", "{agent:?}");
}

#[test]
fn codex_with_a_failing_model_is_a_named_fault() {
    check(Agent::Codex, Turn::Refuse(401), 60, "seek: failed (exit 1)");
    check(Agent::Codex, Turn::Refuse(429), 60, "seek: failed (exit 1)");
    check(Agent::Codex, Turn::Refuse(500), 60, "seek: failed (exit 1)");
    check(Agent::Codex, Turn::Drop, 60, "stream disconnected before completion");
    check(Agent::Codex, Turn::Hang, 3, "seek: failed (ran past its deadline)");
}

/// In its JSON mode pi ends with 0 whatever its model did; its events tell.
#[test]
fn pi_with_a_failing_model_is_a_named_fault() {
    check(Agent::Pi, Turn::Refuse(401), 60, "seek: failed (reported an error)");
    check(Agent::Pi, Turn::Refuse(500), 60, "seek: failed (reported an error)");
    check(Agent::Pi, Turn::Hang, 3, "seek: failed (ran past its deadline)");
}

/// The fixer's shell starts a child that is deaf to TERM; the user interrupts the run.
#[test]
fn an_interrupt_leaves_nothing_of_a_real_agent_s_tools() {
    for (agent, seconds) in [(Agent::Codex, "70421"), (Agent::Pi, "70422")] {
        if agent.program().is_none() {
            continue;
        }
        // A writing role, so that both agents have a shell.
        let machine = machine(move |asked, root| match honest(asked, root) {
            Turn::Write { .. } => Turn::Run(format!("trap '' TERM; sleep {seconds}")),
            turn => turn,
        });
        let running = machine.audit(&["--agent", agent.name()]).spawn();
        let is_there = || !processes_with_argument(seconds).is_empty();
        wait_until(is_there, Duration::from_secs(60), "the tool's shell");
        running.signal(Signal::INT);
        running.wait().expect_code(130);
        assert!(!is_there(), "{agent:?}");
    }
}
