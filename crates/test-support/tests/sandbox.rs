//! The sandbox and its repositories keep the user's machine out.

use std::panic;

use tribunal_test_support::{Repo, Sandbox, Scenario, Signal, binary};

#[test]
fn a_program_sees_the_sandbox_and_nothing_else() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.program("env").run();
    let root = sandbox.root().to_str().expect("a UTF-8 path");
    for line in outcome.expect_code(0).stdout.lines() {
        let (name, value) = line.split_once('=').expect("a variable");
        match name {
            "HOME" | "TMPDIR" => assert!(value.starts_with(root), "{line}"),
            "PATH" | "LANG" => {}
            _ if name.starts_with("XDG_") => assert!(value.starts_with(root), "{line}"),
            _ => assert!(name.starts_with("GIT_"), "{line}"),
        }
    }
}

#[test]
fn equal_steps_give_equal_commits() {
    let build = |repo: &Repo| {
        repo.write("src/a.rs", "fn a() {}\n").append("src/a.rs", "fn b() {}\n");
        repo.append("new.txt", "made\n");
        repo.commit_all("first");
        repo.remove("new.txt");
        assert_eq!(repo.status(), " D new.txt");
        repo.commit_all("second")
    };
    let sandbox = Sandbox::new();
    assert_eq!(build(&Repo::new()), build(&sandbox.repo("other")));
}

#[test]
fn a_command_line_is_quoted_as_posix_words() {
    let sandbox = Sandbox::new();
    let first = sandbox.agent_command(&Scenario::new());
    assert_ne!(first, sandbox.agent_command(&Scenario::new()));
    let script = format!("printf '%s\\n' {first}");
    let outcome = sandbox.program("sh").args(&["-c", &script]).run();
    let words: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(words[0], binary("scripted-agent").to_str().expect("a UTF-8 path"));
    assert!(words[1].ends_with("scenario-1.json"));
}

#[test]
fn input_arrives_and_a_signal_is_an_outcome() {
    let sandbox = Sandbox::new();
    let prompt = "é".repeat(1 << 20);
    assert_eq!(sandbox.program("cat").stdin(prompt.clone()).run().stdout, prompt);
    let running = sandbox.program("sleep").arg("1000").spawn();
    running.signal(Signal::TERM);
    assert_eq!(running.wait().signal(), Some(15));
}

#[test]
fn a_program_that_is_not_built_is_named_with_the_remedy() {
    let panic = panic::catch_unwind(|| binary("no-such-program")).expect_err("it panics");
    let text = panic.downcast_ref::<String>().expect("a formatted message");
    assert!(text.contains("no-such-program is missing"), "{text}");
    assert!(text.contains("cargo build --workspace --bins"), "{text}");
}
