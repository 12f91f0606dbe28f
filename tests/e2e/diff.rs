//! What a run changed, as a patch that git takes both ways.

use std::fs;

use tribunal_test_support::{Act, Cue, Outcome, Role};

use crate::stage::{OUTPUT, Stage, holds, json, lacks, medium, swallowed};

fn diff(stage: &Stage, options: &[&str]) -> Outcome {
    let outcome = stage.tribunal(&["runs", "diff", &stage.run_id()]).args(options).run();
    outcome.expect_code(0);
    outcome
}

/// Has git apply a patch to the work tree.
#[track_caller]
fn apply(stage: &Stage, options: &[&str], patch: &str) {
    let file = stage.sandbox.root().join("a.patch");
    fs::write(&file, patch).expect("the sandbox can be written");
    let file = file.to_str().expect("temporary folders have UTF-8 names");
    stage.repo.git(&[&["apply", "--whitespace=nowarn"], options, &[file]].concat());
}

/// The files and links, without the permissions that git does not know.
fn files(stage: &Stage) -> Vec<String> {
    let picture = stage.repo.picture(OUTPUT).into_iter();
    let known = picture.filter(|line| !line.contains(" 40"));
    known.map(|line| line.replace(" 100600 ", " 100644 ")).collect()
}

/// The run's patch leads back to before it, and from there to its end again.
#[track_caller]
fn check(script: &str) {
    let stage = Stage::lived_in();
    stage.repo.write("crlf.txt", "a\r\nb\r\n").write("open.txt", "no end");
    stage.repo.write("über blick \"1\".txt", "x\n").write("bytes.bin", b"\x00\x01\xff\x00");
    stage.repo.commit_all("more");
    let before = files(&stage);
    stage.with_fixer(script);
    let after = files(&stage);
    let patch = diff(&stage, &[]).stdout;
    apply(&stage, &["-R"], &patch);
    assert_eq!(files(&stage), before, "{script}\n{patch}");
    apply(&stage, &[], &patch);
    assert_eq!(files(&stage), after, "{script}\n{patch}");
}

#[test]
fn git_takes_the_patch_of_a_run_both_ways() {
    check(":");
    check(
        "echo more >>notes.txt; rm -r docs; mkdir new; echo n >new/n; : >empty; git mv open.txt shut.txt; cp run.sh go.sh",
    );
    check("printf 'a\\nB\\r\\n' >crlf.txt; printf more >>open.txt; echo y >'über blick \"1\".txt'");
    check("printf '\\0\\2\\376' >bytes.bin; printf '\\0' >new.bin; echo text >gone.bin");
    check(
        "chmod 644 run.sh; chmod 755 README.md; ln -sfn src link; rm staged.txt; ln -s x staged.txt",
    );
    check("rm README.md; mkdir README.md; echo r >README.md/r; git add -A");
    check("git -c user.name=X -c user.email=x@example.org commit -qam theirs");
    check("printf 'x\\n' >$'\\n \\t.txt'");
}

#[test]
fn only_what_the_run_changed_is_in_it() {
    let stage = Stage::lived_in();
    stage.with_fixer(":");
    stage.repo.append("README.md", "later\n");
    let patch = diff(&stage, &[]).stdout;
    holds(&patch, "+++ b/src/cart.py");
    for other in ["README.md", "notes.txt", "staged.txt", "gone.txt", OUTPUT] {
        lacks(&patch, other);
    }
    apply(&stage, &["-R"], &patch);
    holds(&stage.repo.read("README.md"), "later");
    holds(&stage.repo.read("src/cart.py"), "except: pass");
}

/// Two findings of one file, some lines apart, and one of another.
fn three_fixes() -> Stage {
    let rest = "step()\n".repeat(9);
    let (wrong, right) = (format!("retry(inf)\n{rest}"), format!("retry(3)\n{rest}"));
    Stage::new([
        swallowed(),
        medium("F2", "src/pay.py", &wrong, &right),
        medium("F3", "src/pay.py", "wait(inf)", "wait(9)"),
    ])
}

#[test]
fn the_fix_of_one_finding_is_taken_back_alone() {
    let stage = three_fixes();
    stage.one_cycle().expect_code(0);
    let fixed = |text: &str| stage.repo.read("src/pay.py").contains(text);
    assert!(fixed("retry(3)") && fixed("wait(9)"));
    let second = diff(&stage, &["--finding", "F2"]).stdout;
    holds(&second, "+retry(3)");
    lacks(&second, "wait(9)");
    lacks(&second, "cart.py");
    apply(&stage, &["-R"], &second);
    assert!(fixed("retry(inf)") && fixed("wait(9)"));
    let third = diff(&stage, &["--finding", "F3", "--json"]);
    let third = json(&third.stdout);
    assert_eq!(third["finding"], "F3");
    assert_eq!(third["paths"], serde_json::json!(["src/pay.py"]));
    apply(&stage, &["-R"], third["patch"].as_str().expect("UTF-8"));
    assert!(fixed("retry(inf)") && fixed("wait(inf)"));
    holds(&stage.repo.read("src/cart.py"), "except KeyError");
}

#[test]
fn a_finding_that_is_not_fixed_has_no_patch_and_a_reason() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(Act::Liar).role(Role::Fixer));
    stage.one_cycle().expect_code(1);
    let outcome = diff(&stage, &["--finding", "F1"]);
    assert_eq!(outcome.stdout, "");
    holds(&outcome.stderr, "F1 is not fixed: src/cart.py did not change; nothing did");
    assert_eq!(diff(&stage, &[]).stdout, "");
    let unknown = stage.tribunal(&["runs", "diff", &stage.run_id(), "--finding", "F9"]).run();
    unknown.expect_code(2);
    holds(&unknown.stderr, "no finding `F9` was to be fixed in this run; there are F1");
}

#[test]
fn an_undone_run_still_says_what_it_changed() {
    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    let patch = diff(&stage, &[]).stdout;
    stage.tribunal(&["runs", "undo", &stage.run_id()]).run().expect_code(0);
    assert_eq!(diff(&stage, &[]).stdout, patch);
    apply(&stage, &[], &patch);
    holds(&stage.repo.read("src/cart.py"), "except KeyError");
}
