//! Undoing a run: the tree of before its first write, and nothing of anybody else's lost (D46).

use std::fs;
use std::time::Duration;

use tribunal_test_support::{Act, Cue, Outcome, Role, Signal, carriers, wait_until};

use crate::stage::{Before, ONE_CYCLE, OUTPUT, Stage, endless, holds, json, lacks, swallowed};

const PATIENCE: Duration = Duration::from_secs(30);

fn undo(stage: &Stage, options: &[&str]) -> Outcome {
    stage.tribunal(&["runs", "undo", &stage.run_id()]).args(options).run()
}

/// A run with this fixer is undone, and everything is as it was before it.
#[track_caller]
fn check(script: &str) -> Outcome {
    let stage = Stage::lived_in();
    let before = Before::of(&stage);
    stage.with_fixer(script);
    assert_ne!(Before::of(&stage), before, "the fixer wrote: {script}");
    let outcome = undo(&stage, &[]);
    outcome.expect_code(0);
    assert_eq!(Before::of(&stage), before, "{script}");
    outcome
}

#[test]
fn undone_everything_is_as_before_the_first_write() {
    check(":");
    check("rm notes.txt run.sh; rm -r docs; echo other >README.md; mkdir new; echo n >new/n");
    check(
        "chmod 644 run.sh; chmod 755 README.md; ln -sfn src link; rm staged.txt; mkdir staged.txt",
    );
    check("git add -A; git rm -q --cached README.md");
    check("echo n >gone.txt; echo '*.txt' >.gitignore; echo log >>.gitignore");
}

#[test]
fn head_and_its_branch_go_back_and_other_refs_stay_and_are_named() {
    let who = "git -c user.name=X -c user.email=x@example.org";
    let outcome = check(&format!("{who} commit -qam theirs; git tag kept; git branch other"));
    holds(&outcome.stdout, "HEAD is back at refs/heads/main");
    holds(&outcome.stdout, "refs/tags/kept (new, ");
    holds(&outcome.stdout, "refs/heads/other (new, ");
    let outcome = check(&format!("{who} stash -q; git switch -qc elsewhere"));
    holds(&outcome.stdout, "refs/stash (new, ");
    holds(&outcome.stdout, "refs/heads/elsewhere (new, ");
}

#[test]
fn what_is_replaced_is_kept_and_named() {
    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    let outcome = undo(&stage, &["--json"]);
    outcome.expect_code(0);
    let said = json(&outcome.stdout);
    assert_eq!(said["result"], "undone");
    assert_eq!(said["run"], stage.run_id());
    assert_eq!(said["paths"], serde_json::json!(["src/cart.py"]));
    let kept = said["kept"].as_str().expect("a place");
    holds(&stage.repo.git(&["show", &format!("{kept}:files/src/cart.py")]), "except KeyError");
    holds(&stage.repo.read("src/cart.py"), "except: pass");
    let to = said["to"].as_str().expect("a place");
    holds(&stage.repo.git(&["show", &format!("{to}:files/src/cart.py")]), "except: pass");
}

#[test]
fn an_undone_run_is_not_undone_again_nor_gone_on_with() {
    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    undo(&stage, &[]).expect_code(0);
    stage.repo.write("src/cart.py", "mine\n");
    let again = undo(&stage, &["--force"]);
    again.expect_code(0);
    holds(&again.stdout, "was undone already; what was there is kept as refs/tribunal/");
    assert_eq!(stage.repo.read("src/cart.py"), "mine\n");
    let listed = stage.tribunal(&["runs", "list"]).run();
    holds(&listed.stdout, "completed, undone since");
    let shown = stage.tribunal(&["runs", "show", &stage.run_id()]).run();
    shown.expect_code(0);
    holds(&shown.stdout, "Undone since: the tree was put back to before the first write");
}

#[test]
fn a_run_that_left_nothing_has_nothing_to_undo() {
    for act in [Act::Liar, Act::Excuses("the call is inside a library".to_owned()), Act::Exit(1)] {
        let stage = Stage::new([swallowed()]).cue(Cue::to(act).role(Role::Fixer));
        stage.repo.append("README.md", "mine\n");
        let code = stage.one_cycle().code();
        assert!(code.is_some());
        stage.repo.append("README.md", "later\n");
        let outcome = undo(&stage, &[]);
        outcome.expect_code(0);
        holds(&outcome.stdout, "left nothing in the tree");
        holds(&stage.repo.read("README.md"), "later");
    }
}

/// After the run this script is run; without `--force` nothing is undone, and these are named.
#[track_caller]
fn check_later(script: &str, named: &str) {
    let stage = Stage::new([swallowed()]);
    stage.repo.append("README.md", "mine\n");
    let before = Before::of(&stage);
    stage.one_cycle().expect_code(0);
    let bash = stage.sandbox.program("bash").args(&["-ec", script]).dir(stage.repo.root());
    bash.run().expect_code(0);
    let edited = Before::of(&stage);
    let refused = undo(&stage, &[]);
    refused.expect_code(1);
    holds(&refused.stderr, &format!("would be lost: {named}\n"));
    holds(&refused.stderr, "--force");
    assert_eq!(Before::of(&stage), edited, "nothing was touched");
    let refs = stage.repo.git(&["for-each-ref", "refs/tribunal"]);
    let forced = undo(&stage, &["--force", "--json"]);
    forced.expect_code(0);
    assert_eq!(Before::of(&stage), before, "{named}");
    let kept = json(&forced.stdout)["kept"].as_str().expect("a place").to_owned();
    lacks(&refs, &kept);
    for path in named.split(", ").filter(|path| edited.files.iter().any(|file| file.contains(path)))
    {
        let kept = stage.repo.git(&["show", &format!("{kept}:files/{path}")]);
        assert!(kept.contains("later") || named.ends_with("index"), "{kept}");
    }
}

#[test]
fn later_edits_are_named_and_undone_only_by_force_and_kept() {
    check_later("echo later >>src/cart.py", "src/cart.py");
    check_later("echo later >>README.md", "README.md");
    check_later("echo later >new.txt", "new.txt");
    check_later("rm src/cart.py", "src/cart.py");
    check_later("ln -sf later README.md", "README.md");
    check_later("git add README.md", "the index");
    check_later("echo later | tee a.txt >b.txt; git add a.txt", "a.txt, b.txt, the index");
}

#[test]
fn edits_that_lead_back_are_no_obstacle() {
    let stage = Stage::new([swallowed()]);
    let before = Before::of(&stage);
    let old = stage.repo.read("src/cart.py");
    stage.one_cycle().expect_code(0);
    stage.repo.write("src/cart.py", old);
    undo(&stage, &[]).expect_code(0);
    assert_eq!(Before::of(&stage).files, before.files);
}

#[test]
fn edits_of_the_user_between_two_fixes_are_later_edits_too() {
    let hang = Cue::to(Act::Hang).step("seek").cycle(2);
    let stage = Stage::new([swallowed(), endless().from_cycle(2)]).cue(hang);
    let before = Before::of(&stage);
    let running = stage.audit(&["-c", "min_cycles=2", "-c", "max_cycles=2"]).spawn();
    wait_until(|| stage.times_asked("seek") == 2, PATIENCE, "the second cycle");
    running.signal(Signal::TERM);
    running.wait().expect_code(143);
    stage.repo.write("mine.txt", "mine\n");
    stage.make_everybody_honest();
    stage.tribunal(&["runs", "resume", &stage.run_id()]).run().expect_code(0);
    assert_eq!(stage.changed(), [" M src/cart.py", " M src/pay.py", "?? mine.txt"]);
    let refused = undo(&stage, &[]);
    refused.expect_code(1);
    holds(&refused.stderr, "would be lost: mine.txt\n");
    undo(&stage, &["--force"]).expect_code(0);
    assert_eq!(Before::of(&stage), before);
}

#[test]
fn a_branch_that_moved_since_is_not_moved_back_not_even_by_force() {
    for later in [&["commit", "-qam", "mine"][..], &["switch", "-qc", "topic"]] {
        let stage = Stage::new([swallowed()]);
        stage.one_cycle().expect_code(0);
        stage.repo.git(later);
        let now = Before::of(&stage);
        for options in [&[][..], &["--force"]] {
            let refused = undo(&stage, options);
            refused.expect_code(1);
            holds(&refused.stderr, "is not where the run left it");
            holds(&refused.stderr, "tribunal runs diff RUN | git apply -R");
            assert_eq!(Before::of(&stage), now);
        }
    }
}

#[test]
fn a_run_that_is_not_there_is_named_with_the_one_that_may_be_meant() {
    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    let run = stage.run_id();
    let outcome = stage.tribunal(&["runs", "undo", &run[9..]]).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, &format!("no run `{}`, did you mean {run}?", &run[9..]));
    holds(&outcome.stderr, "tribunal runs list");
}

#[test]
fn a_run_at_work_is_not_undone_and_a_killed_one_is() {
    let act = Act::All(vec![Act::WritesAlthoughReadOnly("half.txt".to_owned()), Act::Hang]);
    let stage = Stage::new([swallowed()]).cue(Cue::to(act).role(Role::Fixer));
    stage.repo.append("README.md", "mine\n");
    let before = Before::of(&stage);
    let running = stage.audit(&ONE_CYCLE).spawn();
    wait_until(|| stage.repo.path("half.txt").exists(), PATIENCE, "the fixer writes");
    let refused = undo(&stage, &[]);
    refused.expect_code(3);
    holds(&refused.stderr, "being worked on by another process");
    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal(), Some(9));
    let outcome = undo(&stage, &[]);
    outcome.expect_code(0);
    holds(&outcome.stdout, "1/fix/1 was at work when the run stopped");
    assert_eq!(Before::of(&stage), before);
    assert_eq!(carriers(&format!("TRIBUNAL_RUN={}", stage.run_id())), Vec::<u32>::new());
    let kept = stage.repo.git(&["for-each-ref", "--format=%(refname)", "refs/tribunal"]);
    let holds_half = |kept: &str| {
        stage.repo.git(&["ls-tree", "-r", "--name-only", kept]).contains("files/half.txt")
    };
    assert!(kept.lines().any(holds_half), "what was there is kept");
    let resumed = stage.tribunal(&["runs", "resume", &stage.run_id()]).run();
    resumed.expect_code(2);
    holds(&resumed.stderr, "was undone; it cannot be gone on with");
}

#[test]
fn what_keep_tree_left_of_a_reader_is_undone_too() {
    let stray = Act::WritesAlthoughReadOnly("stray.txt".to_owned());
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray).step("seek").turn(1));
    let before = Before::of(&stage);
    stage.audit(&ONE_CYCLE).args(&["--keep-tree"]).run().expect_code(0);
    assert!(stage.repo.path("stray.txt").exists());
    undo(&stage, &[]).expect_code(0);
    assert_eq!(Before::of(&stage), before);
}

#[test]
fn without_git_a_run_is_undone_too() {
    let stage = Stage::new([swallowed()]);
    fs::remove_dir_all(stage.repo.path(".git")).expect("it was a repository");
    let before = stage.repo.picture(OUTPUT);
    stage.audit(&ONE_CYCLE).args(&["--no-git"]).run().expect_code(0);
    assert_ne!(stage.repo.picture(OUTPUT), before);
    let outcome = undo(&stage, &[]);
    outcome.expect_code(0);
    lacks(&outcome.stdout, "git restore");
    assert_eq!(stage.repo.picture(OUTPUT), before);
}

#[test]
fn an_undo_that_broke_off_is_finished_by_the_next() {
    let stage = Stage::lived_in();
    let before = Before::of(&stage);
    stage.with_fixer(
        "rm notes.txt; rm -r docs; mkdir new; for n in 1 2 3 4; do echo n >new/$n; done",
    );
    let copy = stage.sandbox.root().join("left");
    let left = stage.sandbox.program("cp").arg("-a").arg(stage.repo.root()).arg(&copy).run();
    left.expect_code(0);
    undo(&stage, &[]).expect_code(0);
    let journal = stage.run_folder().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let undone = text.lines().last().expect("a record");
    holds(undone, "\"undone\"");
    let begun = text.strip_suffix(&format!("{undone}\n")).expect("its last line");
    // Half way: some paths as the run left them, the others as they were before it.
    let paths = ["src/cart.py", "notes.txt", "docs", "new", ".git/index"];
    for cut in 0..=paths.len() {
        for path in &paths[..cut] {
            let (from, to) = (copy.join(path), stage.repo.path(path));
            stage.sandbox.program("rm").arg("-rf").arg(&to).run().expect_code(0);
            if from.exists() {
                stage.sandbox.program("cp").arg("-a").arg(&from).arg(&to).run().expect_code(0);
            }
        }
        fs::write(&journal, begun).expect("written");
        let outcome = undo(&stage, &[]);
        outcome.expect_code(0);
        assert_eq!(Before::of(&stage), before, "{cut} of {paths:?} were left");
    }
    // What the user wrote meanwhile is in the way of this one as well.
    fs::write(&journal, begun).expect("written");
    stage.repo.append("README.md", "later\n");
    let refused = undo(&stage, &[]);
    refused.expect_code(1);
    holds(&refused.stderr, "would be lost: README.md");
}

#[test]
fn killed_between_two_steps_an_undo_is_finished_by_the_next() {
    const N_FILES: usize = 400;
    let stage = Stage::new([swallowed()]);
    for number in 0..N_FILES {
        stage.repo.write(&format!("many/{number:03}.txt"), "before\n");
    }
    stage.repo.commit_all("many files");
    let before = Before::of(&stage);
    stage.with_fixer("for file in many/*; do echo after >$file; done");
    let copy = stage.sandbox.root().join("left");
    stage.sandbox.program("cp").arg("-a").arg(stage.repo.root()).arg(&copy).run().expect_code(0);
    let journal = stage.run_folder().join("journal.jsonl");
    let ended = fs::read_to_string(&journal).expect("a journal");
    let mut half_way = 0;
    for kill in 0..8 {
        fs::write(&journal, &ended).expect("written");
        fs::remove_dir_all(stage.repo.root()).expect("removed");
        stage
            .sandbox
            .program("cp")
            .arg("-a")
            .arg(&copy)
            .arg(stage.repo.root())
            .run()
            .expect_code(0);
        let running = stage.tribunal(&["runs", "undo", &stage.run_id()]).spawn();
        let wanted = stage.repo.path(&format!("many/{:03}.txt", kill * N_FILES / 8));
        let is_back = || fs::read(&wanted).is_ok_and(|text| text == b"before\n");
        wait_until(is_back, PATIENCE, "a file is put back");
        running.signal(Signal::KILL);
        let killed = running.wait();
        if killed.signal() == Some(9) && Before::of(&stage) != before {
            half_way += 1;
        }
        undo(&stage, &[]).expect_code(0);
        assert_eq!(Before::of(&stage), before, "killed at {}", wanted.display());
    }
    println!("{half_way} of 8 kills found it half way");
}

#[test]
fn a_review_loop_is_nothing_that_these_commands_are_for() {
    let stage = Stage::new([swallowed()]);
    stage.tribunal(&["loop", "start", "src"]).run().expect_code(0);
    for command in ["undo", "diff", "apply"] {
        let refused = stage.tribunal(&["runs", command, &stage.run_id()]).run();
        refused.expect_code(2);
        holds(&refused.stderr, "is a review loop");
    }
}
