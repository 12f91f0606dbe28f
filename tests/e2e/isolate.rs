//! Runs with a work tree of their own: the user's is touched by `runs apply` alone.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tribunal_test_support::{Act, Cue, Outcome, Role, Signal, wait_until};

use crate::stage::{Before, ONE_CYCLE, Stage, holds, json, lacks, medium, swallowed};

const PATIENCE: Duration = Duration::from_secs(30);
const ISOLATED: [&str; 5] = [ONE_CYCLE[0], ONE_CYCLE[1], ONE_CYCLE[2], ONE_CYCLE[3], "--isolate"];

fn runs(stage: &Stage, command: &str, options: &[&str]) -> Outcome {
    stage.tribunal(&["runs", command, &stage.run_id()]).args(options).run()
}

/// An isolated audit of one cycle; the user's tree, index, HEAD and branches stay as they are.
#[track_caller]
fn audited(stage: &Stage) -> Outcome {
    let before = Before::of(stage);
    let branches = stage.repo.git(&["branch", "--format=%(refname) %(objectname)"]);
    let outcome = stage.audit(&ISOLATED).run();
    assert_eq!(Before::of(stage), before, "{}", outcome.stderr);
    assert!(!stage.repo.path("eval_results").exists(), "results are elsewhere");
    let now = stage.repo.git(&["branch", "--format=%(refname) %(objectname)"]);
    let others: Vec<&str> = now.lines().filter(|line| !line.contains("/tribunal/")).collect();
    assert_eq!(others, branches.lines().collect::<Vec<_>>());
    outcome
}

/// The root of the run's own work tree.
fn own_tree(stage: &Stage) -> PathBuf {
    let folder = stage.sandbox.state().join("tribunal/isolated").join(stage.run_id());
    folder.join("tree").join(stage.repo.root().file_name().expect("a name"))
}

/// Nothing is left of the run's own work tree and branch.
#[track_caller]
fn is_tidy(stage: &Stage) {
    assert!(!own_tree(stage).exists());
    lacks(&stage.repo.git(&["worktree", "list"]), "tribunal");
    lacks(&stage.repo.git(&["branch", "--all"]), "tribunal");
}

#[test]
fn fixes_happen_elsewhere_and_are_brought_over_by_apply() {
    let stage = Stage::lived_in();
    let before = Before::of(&stage);
    let outcome = audited(&stage);
    outcome.expect_code(0);
    let run = stage.run_id();
    holds(&outcome.stdout, &format!("apply with    tribunal runs apply {run}"));
    holds(&outcome.stdout, &format!("branch        tribunal/{run}"));
    let fixed = fs::read_to_string(own_tree(&stage).join("src/cart.py")).expect("it is there");
    holds(&fixed, "except KeyError: raise");
    let results = own_tree(&stage).ancestors().nth(2).expect("a folder").join("results");
    assert!(results.join("report.md").exists(), "{}", results.display());

    let applied = runs(&stage, "apply", &["--json"]);
    applied.expect_code(0);
    let said = json(&applied.stdout);
    assert_eq!(said["result"], "patched");
    assert_eq!(said["paths"], serde_json::json!(["src/cart.py"]));
    let after = Before::of(&stage);
    assert_eq!((after.head, after.commit, after.index), (before.head, before.commit, before.index));
    let changed = after.files.iter().zip(&before.files).filter(|(now, was)| now != was);
    let changed: Vec<_> = changed.map(|(now, _)| now.as_str()).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    holds(changed[0], "except KeyError: raise");
    is_tidy(&stage);

    let again = runs(&stage, "apply", &[]);
    again.expect_code(0);
    holds(&again.stdout, "was applied already");
    lacks(&runs(&stage, "show", &[]).stdout, "apply with");
}

#[test]
fn what_is_not_committed_is_audited_too() {
    let stage = Stage::new([medium("F1", "notes.txt", "teh", "the"), swallowed()]);
    stage.repo.git(&["rm", "-q", "--cached", "notes.txt"]);
    stage.repo.git(&["commit", "-qm", "untracked from now on"]);
    stage.repo.append("src/cart.py", "# mine\n");
    audited(&stage).expect_code(0);
    runs(&stage, "apply", &[]).expect_code(0);
    assert_eq!(stage.repo.read("notes.txt"), "the\n");
    let cart = stage.repo.read("src/cart.py");
    holds(&cart, "except KeyError: raise\n# mine");
    assert_eq!(stage.changed(), [" M src/cart.py", "?? notes.txt"]);
}

/// The fixer adds, removes, renames and links; then the user does `meanwhile`, and it is applied.
#[track_caller]
fn check_apply(meanwhile: &str, expected: &[&str]) {
    let stage = Stage::lived_in();
    let script = "if [ \"$TRIBUNAL_ROLE\" = fixer ]; then rm docs/deep/x.md; mkdir new; \
                  echo n >new/n; chmod 644 run.sh; ln -sfn src link; git mv -k README.md R.md; fi";
    let command = stage.agent_after(script);
    let audit = stage.tribunal(&["audit", ".", "--agent-command", &command]).args(&ISOLATED);
    audit.run().expect_code(0);
    let bash = stage.sandbox.program("bash").args(&["-ec", meanwhile]).dir(stage.repo.root());
    bash.run().expect_code(0);
    let before = Before::of(&stage);
    let outcome = runs(&stage, "apply", &[]);
    if expected.is_empty() {
        outcome.expect_code(0);
        assert!(!stage.repo.path("docs").exists() && !stage.repo.path("README.md").exists());
        assert_eq!(stage.repo.read("new/n"), "n\n");
        holds(&stage.repo.read("R.md"), "mine");
        holds(&stage.repo.read("src/cart.py"), "except KeyError: raise");
        let undone = runs(&stage, "undo", &[]);
        undone.expect_code(0);
        assert_eq!(Before::of(&stage).files, before.files, "{meanwhile}");
    } else {
        outcome.expect_code(1);
        let named = format!("changed on both sides: {}\n", expected.join(", "));
        holds(&outcome.stderr, &named);
        assert_eq!(Before::of(&stage), before, "nothing is half applied: {meanwhile}");
        assert!(own_tree(&stage).exists(), "it can be tried again");
    }
}

#[test]
fn what_the_user_did_meanwhile_is_merged_and_conflicts_are_named() {
    check_apply(":", &[]);
    check_apply("sed -i '1i # top' src/cart.py; echo more >>notes.txt; git add -A", &[]);
    check_apply("git commit -qam mine", &[]);
    check_apply("sed -i 's/except: pass/except: return/' src/cart.py", &["src/cart.py"]);
    check_apply("mkdir new; echo other >new/n", &["new/n"]);
    check_apply("echo new >>.git/info/exclude; mkdir new; echo ignored >new/n", &["new/n"]);
    check_apply("rm src/cart.py; echo y >docs/deep/x.md", &["docs/deep/x.md", "src/cart.py"]);
}

#[test]
fn a_merge_commits_on_the_runs_branch_and_can_be_undone() {
    let stage = Stage::new([swallowed()]);
    let start = Before::of(&stage);
    audited(&stage).expect_code(0);
    stage.repo.write("other.txt", "meanwhile\n");
    stage.repo.commit_all("meanwhile");
    let before = Before::of(&stage);
    let outcome = runs(&stage, "apply", &["--merge"]);
    outcome.expect_code(0);
    holds(&outcome.stdout, &format!("is merged: HEAD is at {}", stage.repo.head()));
    assert_eq!(stage.changed(), [""; 0]);
    holds(&stage.repo.read("src/cart.py"), "except KeyError: raise");
    assert_eq!(stage.repo.git(&["rev-parse", "HEAD^1"]), before.commit.trim());
    assert_eq!(stage.repo.git(&["rev-parse", "HEAD^2^"]), start.commit.trim());
    is_tidy(&stage);
    runs(&stage, "undo", &[]).expect_code(0);
    assert_eq!(Before::of(&stage), before);
}

#[test]
fn a_merge_that_would_take_uncommitted_work_or_conflicts_leaves_everything() {
    let dirty = Stage::lived_in();
    audited(&dirty).expect_code(0);
    let before = Before::of(&dirty);
    let refused = runs(&dirty, "apply", &["--merge"]);
    refused.expect_code(1);
    holds(&refused.stderr, "it began with uncommitted changes");
    assert_eq!(Before::of(&dirty), before);
    runs(&dirty, "apply", &[]).expect_code(0);

    let stage = Stage::new([swallowed()]);
    audited(&stage).expect_code(0);
    let text = stage.repo.read("src/cart.py");
    stage.repo.write("src/cart.py", text.replace("except: pass", "except: return"));
    stage.repo.commit_all("meanwhile");
    let before = Before::of(&stage);
    let refused = runs(&stage, "apply", &["--merge"]);
    refused.expect_code(1);
    holds(&refused.stderr, "changed on both sides: src/cart.py\n");
    assert_eq!(stage.changed(), [""; 0]);
    assert_eq!(Before::of(&stage).files, before.files);
    assert!(!stage.repo.path(".git/MERGE_HEAD").exists());
    stage.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    runs(&stage, "apply", &["--merge"]).expect_code(0);
}

#[test]
fn a_run_that_is_not_wanted_is_removed_by_undo() {
    let stage = Stage::lived_in();
    let before = Before::of(&stage);
    audited(&stage).expect_code(0);
    let outcome = runs(&stage, "undo", &["--json"]);
    outcome.expect_code(0);
    let said = json(&outcome.stdout);
    assert_eq!(said["result"], "removed");
    let kept = said["kept"].as_str().expect("a place");
    holds(&stage.repo.git(&["show", &format!("{kept}:files/src/cart.py")]), "except KeyError");
    assert_eq!(Before::of(&stage), before);
    is_tidy(&stage);
    let refused = runs(&stage, "apply", &[]);
    refused.expect_code(2);
    holds(&refused.stderr, "was undone");
    holds(&runs(&stage, "undo", &[]).stdout, "was undone already");
}

#[test]
fn killed_in_its_own_tree_a_run_goes_on_there() {
    let half = Act::All(vec![Act::WritesAlthoughReadOnly("half.txt".to_owned()), Act::Hang]);
    let stage = Stage::new([swallowed()]).cue(Cue::to(half).role(Role::Fixer));
    let before = Before::of(&stage);
    let running = stage.audit(&ISOLATED).spawn();
    let half = || !stage.run_folders().is_empty() && own_tree(&stage).join("half.txt").exists();
    wait_until(half, PATIENCE, "the fixer writes");
    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal(), Some(9));
    let refused = runs(&stage, "apply", &[]);
    refused.expect_code(2);
    holds(&refused.stderr, "has not ended");
    stage.make_everybody_honest();
    runs(&stage, "resume", &[]).expect_code(0);
    assert_eq!(Before::of(&stage), before);
    assert!(!own_tree(&stage).join("half.txt").exists());
    runs(&stage, "apply", &[]).expect_code(0);
    assert_eq!(stage.changed(), [" M src/cart.py"]);
    is_tidy(&stage);
}

#[test]
fn killed_before_its_own_tree_was_complete_a_run_makes_it_again() {
    let stage = Stage::lived_in();
    audited(&stage).expect_code(0);
    let journal = stage.run_folder().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let begun: Vec<&str> = text.lines().take(2).collect();
    holds(begun[1], "\"defined\"");
    for leave in ["", "src/cart.py", ".git", "."] {
        fs::write(&journal, format!("{}\n", begun.join("\n"))).expect("written");
        if !leave.is_empty() {
            let gone = own_tree(&stage).join(leave);
            stage
                .sandbox
                .program("rm")
                .arg("-rf")
                .arg(gone.canonicalize().expect("there"))
                .run()
                .expect_code(0);
        }
        runs(&stage, "resume", &[]).expect_code(0);
        let fixed = fs::read_to_string(own_tree(&stage).join("src/cart.py")).expect("there");
        holds(&fixed, "except KeyError: raise");
    }
    runs(&stage, "apply", &[]).expect_code(0);
    is_tidy(&stage);
}

#[test]
fn an_apply_that_broke_off_is_finished_by_the_next_or_undone() {
    let stage = Stage::lived_in();
    let before = Before::of(&stage);
    let script = "if [ \"$TRIBUNAL_ROLE\" = fixer ]; then rm -r docs; echo n >n.txt; fi";
    let command = stage.agent_after(script);
    let audit = stage.tribunal(&["audit", ".", "--agent-command", &command]).args(&ISOLATED);
    audit.run().expect_code(0);
    let copy = stage.sandbox.root().join("before");
    stage.sandbox.program("cp").arg("-a").arg(stage.repo.root()).arg(&copy).run().expect_code(0);
    runs(&stage, "apply", &[]).expect_code(0);
    let after = Before::of(&stage);
    let journal = stage.run_folder().join("journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    let last = text.lines().last().expect("a record");
    holds(last, "\"applied\"");
    let begun = text.strip_suffix(&format!("{last}\n")).expect("its last line");
    let paths = ["src/cart.py", "docs", "n.txt"];
    for cut in 0..=paths.len() {
        for command in ["apply", "undo"] {
            for path in &paths[..cut] {
                let (from, to) = (copy.join(path), stage.repo.path(path));
                stage.sandbox.program("rm").arg("-rf").arg(&to).run().expect_code(0);
                if from.exists() {
                    stage.sandbox.program("cp").arg("-a").arg(&from).arg(&to).run().expect_code(0);
                }
            }
            fs::write(&journal, begun).expect("written");
            runs(&stage, command, &[]).expect_code(0);
            let expected = if command == "apply" { &after } else { &before };
            assert_eq!(Before::of(&stage).files, expected.files, "{command}, {cut} of {paths:?}");
            if command == "undo" {
                fs::write(&journal, begun).expect("written");
                runs(&stage, "apply", &[]).expect_code(0);
            }
        }
    }
    fs::write(&journal, begun).expect("written");
    stage.repo.write("n.txt", "edited meanwhile\n");
    let refused = runs(&stage, "apply", &[]);
    refused.expect_code(1);
    holds(&refused.stderr, "n.txt");
    assert_eq!(stage.repo.read("n.txt"), "edited meanwhile\n");
}

#[test]
fn what_cannot_be_isolated_or_applied_is_said() {
    let unborn = Stage::uncommitted([swallowed()]);
    let outcome = unborn.audit(&ISOLATED).run();
    outcome.expect_code(3);
    holds(&outcome.stderr, "no commit yet");
    assert_eq!(unborn.run_folders().len(), 0);
    assert_eq!(unborn.calls(), [""; 0]);
    unborn.audit(&ISOLATED).args(&["--no-git"]).run().expect_code(2);

    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    let refused = runs(&stage, "apply", &[]);
    refused.expect_code(2);
    holds(&refused.stderr, "is not isolated");

    let liar = Stage::new([swallowed()]).cue(Cue::to(Act::Liar).role(Role::Fixer));
    audited(&liar).expect_code(1);
    let nothing = runs(&liar, "apply", &[]);
    nothing.expect_code(0);
    holds(&nothing.stdout, "changed nothing");
    is_tidy(&liar);
}
