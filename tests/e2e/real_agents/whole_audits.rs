//! Audits in which a real agent finds, votes and mends.

use std::fs;
use std::path::Path;

use tribunal_test_support::{Asked, Turn};

use super::installed::{Agent, KEY, Machine};

const FAULT: &str = "def total(rows):\n    return sum(rows) / len(rows)\n";
const MENDED: &str = "def total(rows):\n    return sum(rows) / len(rows) if rows else 0\n";
const NOTHING: &str = r#"{"findings":[]}"#;
const FINDING: &str = r#"{"findings":[{"id":"F1","category":"reliability","severity":"high",
    "file":"src/cart.py","line":2,"description":"an empty cart divides by zero",
    "evidence":"return sum(rows) / len(rows)","recommendation":"answer 0"}]}"#;
const VOTE: &str = r#"I read it.
{"validated":[{"finding_id":"F1","verdict":"confirmed","new_severity":"high","reasoning":"seen"}]}"#;
const REPORT: &str = r#"{"fixes_applied":[{"finding_id":"F1","file":"src/cart.py",
    "change":"answers 0"}],"fixes_skipped":[],"total_fixed":1,"total_skipped":0}"#;

/// What a good model says in each role, and does where it mends.
pub(super) fn honest(asked: &Asked, root: &Path) -> Turn {
    let file = root.join("src/cart.py");
    let is_mended = fs::read_to_string(&file).is_ok_and(|text| text == MENDED);
    let say = |text: &str| Turn::Say(text.to_owned());
    if asked.prompt.contains("You are the seeker") {
        return say(if is_mended { NOTHING } else { FINDING });
    }
    if asked.prompt.contains("one of three validators") {
        return say(VOTE);
    }
    if !asked.prompt.contains("You are the fixer") {
        return say("All was read.");
    }
    if asked.results.is_empty() {
        let path = file.to_str().expect("a UTF-8 name").to_owned();
        return Turn::Write { path, content: MENDED.to_owned() };
    }
    say(REPORT)
}

/// A machine with an empty cart that nobody has thought of.
pub(super) fn machine(script: impl Fn(&Asked, &Path) -> Turn + Send + Sync + 'static) -> Machine {
    let machine = Machine::new(60, script);
    machine.repo.write("src/cart.py", FAULT).commit_all("a cart");
    machine
}

#[test]
fn an_agent_audits_in_all_roles_and_its_fix_lands() {
    for agent in Agent::ALL {
        if agent.program().is_none() {
            continue;
        }
        let machine = machine(honest);
        let outcome = machine.audit(&["--agent", agent.name()]).run();
        let said = outcome.expect_code(0).stdout.clone();
        assert_eq!(machine.repo.read("src/cart.py"), MENDED, "{agent:?}\n{said}");
        assert!(said.contains("1 finding in 3 cycles: 1 fixed"), "{agent:?}\n{said}");
        let asked = machine.model.asked();
        assert!(asked.iter().all(|asked| asked.key.as_deref() == Some(KEY)), "{agent:?}");
        // Three seekers, three validators, the fixer twice (its tool has answered), two in prose.
        assert_eq!(asked.len(), 10, "{agent:?}");
    }
}

/// A reader that tries to write: pi offers no tool for it, codex's sandbox refuses.
#[test]
fn a_reader_cannot_write() {
    for agent in Agent::ALL {
        if agent.program().is_none() {
            continue;
        }
        let machine = machine(|asked, root| {
            if asked.prompt.contains("You are the seeker") && asked.results.is_empty() {
                let path = root.join("planted.txt").to_str().expect("UTF-8").to_owned();
                let writes = ["write", "bash", "exec_command", "shell"];
                if asked.tools.iter().any(|tool| writes.contains(&tool.as_str())) {
                    return Turn::Write { path, content: "x".to_owned() };
                }
            }
            Turn::Say(NOTHING.to_owned())
        });
        let outcome = machine.audit(&["--agent", agent.name(), "-c", "min_cycles=1"]).run();
        outcome.expect_code(0);
        assert!(!machine.repo.path("planted.txt").exists(), "{agent:?}");
        let asked = machine.model.asked();
        let tools = &asked.first().expect("the seeker asked").tools;
        match agent {
            Agent::Codex => {
                let refused = asked.iter().flat_map(|asked| &asked.results);
                assert!(refused.clone().any(|result| result.contains("Read-only")), "{asked:?}");
            }
            Agent::Pi => assert_eq!(tools, &["read", "grep", "find", "ls"]),
        }
        assert!(!outcome.stderr.contains("changed the tree"), "{}", outcome.stderr);
    }
}

/// Three validators of three kinds vote on what the inspector finds.
#[test]
fn validators_of_three_kinds_vote_together() {
    if Agent::ALL.iter().any(|agent| agent.program().is_none()) {
        return;
    }
    let machine = machine(honest);
    machine.repo.write("src/pay.js", "function pay(a) {\n  debugger;\n  return a;\n}\npay(1);\n");
    machine.repo.write("src/cart.py", MENDED).commit_all("a debugger");
    let outcome = machine
        .audit(&["--json", "--agent", "validator-1=codex", "--agent", "validator-2=pi"])
        .args(&["--agent", "validator-3=inspector", "-c", "min_cycles=1"])
        .run();
    let said = outcome.expect_code(0).stdout.clone();
    assert!(!machine.repo.read("src/pay.js").contains("debugger"), "{said}");
    assert_eq!(machine.model.asked().len(), 2, "{said}");
}
