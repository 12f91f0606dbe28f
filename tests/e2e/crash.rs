//! Killed at any record, a run is explained, goes on, and ends as it would have ended without the
//! kill (DESIGN §3, flow 7 and 8; D45, D46).

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::env;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tribunal_test_support::{Outcome, Signal};

use play::{Play, RECIPE_FILE};
use scene::{Left, Reference, Scene, is_fix};
use wire::Record;

mod play;
mod scene;
mod wire;

/// Scenes that are played at once; a run waits for the disk most of the time.
const N_SCENES: usize = 3;
/// Kills of a running audit, each in another part of it, and one at its end.
const N_KILLS: usize = 12;
/// Set to have another number of kills, or `every`: one at each record.
const KILLS: &str = "TRIBUNAL_CRASH_KILLS";
/// Set to repeat the kills of an earlier test run.
const SEED: &str = "TRIBUNAL_CRASH_SEED";

#[test]
fn cut_after_any_record_a_run_ends_as_it_would_have() {
    let next = AtomicUsize::new(1);
    at_once(|| {
        let scene = Scene::new(Play::ThreeCycles);
        let reference = scene.recorded(scene.audit());
        expect_three_cycles(&reference);
        while let Some(cut) = take(&next, reference.journal.n_records()) {
            for left in reference.left_after(cut) {
                check_cut(&scene, &reference, cut, &left);
            }
        }
    });
}

#[test]
fn cut_after_any_record_a_run_whose_seeker_wrote_keeps_what_it_wrote() {
    let scene = Scene::new(Play::StrayWriter);
    let reference = scene.recorded(scene.audit());
    let records = reference.journal.records();
    let undone = records.iter().position(|record| matches!(record, Record::Restored(_)));
    // Before its reply nobody can tell its writing from the user's, and it stays; after the tree was put
    // back everything is as in a run without it.
    let replied = position(&reference, &Record::Replied("1/seek/1".to_owned()));
    for cut in replied..undone.expect("the seeker's writing was undone") + 4 {
        for left in reference.left_after(cut) {
            check_cut(&scene, &reference, cut, &left);
        }
    }
}

#[test]
fn a_run_that_was_gone_on_with_can_be_cut_again() {
    let scene = Scene::new(Play::OneCycle);
    let first = scene.recorded(scene.audit());
    let cut = position(&first, &Record::Launched("1/fix/1".to_owned()));
    scene.put_back(&first, cut, &Left::half_way("tree.1.seek.1"));
    scene.copy(scene.repo.root(), &scene.place("interrupted"));
    let second = scene.recorded(scene.runs(&["resume", &first.run]));
    assert_eq!(second.end.report.rest, first.end.report.rest);
    let resumed = position(&second, &Record::Resumed);
    assert_eq!(resumed, cut + 1);
    // Beyond these everything is as in a run without it.
    for cut in resumed..resumed + 8 {
        for left in second.left_after(cut) {
            check_cut(&scene, &second, cut, &left);
        }
    }
}

#[test]
fn killed_at_any_record_a_run_ends_as_it_would_have() {
    let seed = match env::var(SEED) {
        Ok(seed) => seed.parse().expect("a seed is a number"),
        Err(_) => RandomState::new().build_hasher().finish(),
    };
    println!("{SEED}={seed}");
    let kills = env::var(KILLS).unwrap_or(N_KILLS.to_string());
    let next = AtomicUsize::new(0);
    at_once(|| {
        let scene = Scene::new(Play::ThreeCycles);
        let reference = scene.recorded(scene.audit());
        let records = reference.journal.n_records();
        let kills =
            if kills == "every" { records } else { kills.parse().expect("a number or `every`") };
        while let Some(kill) = take(&next, kills + 1) {
            let (start, end) = (records * kill / kills, records * (kill + 1) / kills);
            let part = (end - start).max(1) as u64;
            let offset = Random(seed.wrapping_add(kill as u64)).below(part);
            let wanted = start + 1 + usize::try_from(offset).expect("a small number");
            check_kill(&scene, &reference, wanted.min(records));
        }
    });
}

#[test]
fn a_write_call_that_was_interrupted_starts_again_from_the_tree_before_it() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    scene.start_over();
    let half = "printf '# pa' >src/pay.py; rm src/ship.py; echo half >src/half.py; \
                git add src/half.py; git -c user.name=A -c user.email=a@example.org commit -qm half; \
                (while sleep 0.02 && [ -d src ]; do echo half >src/half.py; done) &";
    scene.tell("stop.1.fix.1", half);
    let running = scene.audit().spawn();
    scene.wait_for("stands.1.fix.1");
    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal(), Some(9));
    let run = scene.newest_run().expect("it began");
    assert!(Scene::children_of(&run).len() > 1, "the fixer lives, and what it started writes");

    expect_explained(&scene.show(&run), &run);
    let end = scene.end(&scene.resume(&run));
    scene.expect_tidy(&run, "after it was gone on with");
    let [place] = &end.report.undone[..] else { panic!("one call: {:?}", end.report.undone) };
    assert_eq!(scene.repo.git(&["show", &format!("{place}:files/src/half.py")]), "half");
    assert_eq!(scene.repo.git(&["log", "-1", "--format=%s", &format!("{place}^")]), "half");
    expect_same(&end, &reference, "gone on with");
}

#[test]
fn a_git_that_holds_the_index_keeps_a_run_waiting_and_loses_it_nothing() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    let cut = position(&reference, &Record::Launched("1/fix/1".to_owned()));
    scene.put_back(&reference, cut, &Left::half_way("tree.1.seek.1"));
    scene.repo.write(".git/index.lock", "");
    for _ in 0..2 {
        expect_refused(&scene, &reference.run, &["resume"], ".git/index.lock");
        assert_eq!(scene.repo.read("src/half.py"), "half\n");
    }
    scene.repo.remove(".git/index.lock");
    let end = scene.end(&scene.resume(&reference.run));
    expect_same(&end, &reference, "gone on with");
    assert_eq!(end.report.undone.len(), 1);
    scene.expect_tidy(&reference.run, "gone on with");
}

#[test]
fn a_run_at_work_is_nobody_elses() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    scene.start_over();
    scene.tell("stop.1.seek.1", "");
    let running = scene.audit().spawn();
    scene.wait_for("stands.1.seek.1");
    let run = scene.newest_run().expect("it began");
    let before = scene.journal(&run).n_records();
    let second = scene.resume(&run);
    second.expect_code(3);
    assert!(second.stderr.contains("being worked on by another process"), "{}", second.stderr);
    expect_explained(&scene.show(&run), &run);
    assert_eq!(scene.journal(&run).n_records(), before);
    assert!(!Scene::children_of(&run).is_empty(), "its seeker was let alone");

    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal(), Some(9));
    // Whoever starts next ends what the killed run left, and leaves the run itself to be gone on with.
    scene.sandbox.tribunal(&["audit", ".", "--no-fix"]).dir(scene.repo.root()).run().expect_code(0);
    assert_eq!(Scene::children_of(&run), Vec::<u32>::new());
    let end = scene.end(&scene.resume(&run));
    expect_same(&end, &reference, "gone on with");
    scene.expect_tidy(&run, "after it was gone on with");
}

#[test]
fn a_run_that_has_ended_is_not_gone_on_with() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    let n = reference.journal.n_records();
    let again = scene.resume(&reference.run);
    again.expect_code(2);
    assert!(again.stderr.contains("has ended; there is nothing to resume"), "{}", again.stderr);
    assert_eq!(scene.journal(&reference.run).text(n), reference.journal.text(n));
    let shown = scene.show(&reference.run);
    shown.expect_code(0);
    assert!(!shown.stdout.contains("resume"), "{}", shown.stdout);
}

/// LO-09
#[test]
fn a_last_line_that_is_torn_is_dropped_and_noted() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    let n = reference.journal.n_records();
    for cut in [1, n / 3, n / 2, n - 1] {
        let left = &reference.left_after(cut)[0];
        scene.put_back(&reference, cut, left);
        let line = reference.journal.line(cut + 1);
        for end in [1, line.len() / 2, line.len() - 1] {
            let torn = reference.journal.text(cut) + &line[..end];
            fs::write(&reference.journal.file, torn).expect("written");
            expect_explained(&scene.show(&reference.run), &reference.run);
        }
        let end = scene.end(&scene.resume(&reference.run));
        expect_same(&end, &reference, &format!("torn after {cut}"));
        assert_eq!(scene.journal(&reference.run).records()[cut], Record::TornLine);
    }
}

#[test]
fn a_record_that_was_changed_is_named() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    let cut = reference.journal.n_records() / 2;
    scene.put_back(&reference, cut, &reference.left_after(cut)[0]);
    let line = reference.journal.line(cut - 3);
    let changed = line.replacen("\"time\":1", "\"time\":2", 1);
    assert_ne!(line, changed);
    let text = reference.journal.text(cut).replacen(line, &changed, 1);
    fs::write(&reference.journal.file, &text).expect("written");
    let after = cut - 2;
    let named = format!("record {after}: does not follow the record before it");
    expect_refused(&scene, &reference.run, &["show", "resume"], &named);
    assert_eq!(fs::read_to_string(&reference.journal.file).expect("read"), text);
    let list = scene.runs(&["list"]).run();
    list.expect_code(0);
    assert!(list.stdout.contains(&named), "{}", list.stdout);
}

#[test]
fn a_record_that_no_longer_comes_out_the_same_is_named() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    let records = reference.journal.records();
    let fixed = position(&reference, &Record::Replied("1/fix/1".to_owned()));
    let judged = fixed + nth(&records[fixed..], &Record::Computed, 2);
    let without_refs = || {
        scene.put_back(&reference, judged, &reference.left_after(judged)[0]);
        for number in records[..judged].iter().filter_map(snapshot) {
            let name = format!("refs/tribunal/{}/{number}", reference.run);
            scene.repo.git(&["update-ref", "-d", &name]);
        }
    };
    // The records know the snapshots' commits, whatever became of their refs.
    without_refs();
    expect_same(&scene.end(&scene.resume(&reference.run)), &reference, "the refs are gone");
    without_refs();
    scene.repo.git(&["prune", "--expire=now"]);
    let named = format!("record {judged} does not agree with what the run computes");
    expect_refused(&scene, &reference.run, &["resume"], &named);
    expect_explained(&scene.show(&reference.run), &reference.run);
}

#[test]
fn the_recorded_recipe_holds_whatever_became_of_its_file() {
    let scene = Scene::new(Play::RecipeFile);
    let reference = scene.recorded(scene.audit());
    let cut = reference.journal.n_records() / 2;
    let file = scene.sandbox.root().join(RECIPE_FILE);
    for text in [Some("name: another\nsteps: []\n"), Some("no: recipe"), None] {
        scene.put_back(&reference, cut, &reference.left_after(cut)[0]);
        match text {
            Some(text) => fs::write(&file, text).expect("written"),
            None => fs::remove_file(&file).expect("removed"),
        }
        expect_explained(&scene.show(&reference.run), &reference.run);
        let end = scene.end(&scene.resume(&reference.run));
        expect_same(&end, &reference, &format!("the recipe is {text:?}"));
    }
}

#[test]
fn a_run_without_its_first_record_is_named_and_stops_nobody() {
    let scene = Scene::new(Play::OneCycle);
    let reference = scene.recorded(scene.audit());
    scene.put_back(&reference, 0, &reference.left_after(0)[0]);
    expect_refused(&scene, &reference.run, &["show", "resume"], "the run has no definition");
    let list = scene.runs(&["list"]).run();
    list.expect_code(0);
    assert!(list.stdout.contains(&reference.run), "{}", list.stdout);
    let end = scene.end(&scene.audit().run());
    expect_same(&end, &reference, "another run");
}

/// The run that is killed is the one that the issue describes.
fn expect_three_cycles(reference: &Reference) {
    let records = reference.journal.records();
    let has = |record: &Record| records.contains(record);
    for call in ["1/fix/1", "1/fix/2", "2/fix/1", "3/seek/1", "3/summary/1"] {
        assert!(has(&Record::Replied(call.to_owned())), "{call}");
    }
    let kept = records.iter().filter(|record| matches!(record, Record::Kept { .. }));
    assert_eq!(kept.count(), 1, "garbage is kept");
    assert!(records.ends_with(&[Record::Finished]));
    assert_eq!(reference.end.code, Some(0));
    assert_eq!(reference.end.report.undone, [""; 0]);
}

fn check_cut(scene: &Scene, reference: &Reference, cut: usize, left: &Left) {
    let (run, journal) = (&reference.run, &reference.journal);
    let last = journal.line(cut);
    let when = format!("cut after {cut} of {}, {left:?}: {last}", journal.n_records());
    scene.put_back(reference, cut, left);
    expect_explained(&scene.show(run), run);
    let outcome = scene.resume(run);
    let end = scene.end(&outcome);
    expect_same(&end, reference, &when);
    assert_eq!(end.report.undone.len(), n_interrupted_writes(journal.first(cut)), "{when}");

    let heard = heard(journal.first(cut));
    let rest = calls(journal.records()).into_iter().filter(|call| !heard.contains(call));
    let expected = rest.map(|call| (call.to_owned(), 1)).collect();
    assert_eq!(scene.starts(), expected, "{when}");
    scene.expect_tidy(run, &when);
}

fn check_kill(scene: &Scene, reference: &Reference, wanted: usize) {
    scene.start_over();
    let running = scene.audit().spawn();
    scene.wait_for_records(wanted);
    running.signal(Signal::KILL);
    let killed = running.wait();
    let run = scene.newest_run().expect("it began");
    let journal = scene.journal(&run);
    let reached = journal.n_records();
    let when = format!("killed at {wanted}, after {reached}: {}", journal.line(reached));
    println!("{when}");
    assert!(reached >= wanted, "{when}");
    if journal.records().contains(&Record::Finished) {
        // Nothing was owed any more, also where it was too fast to be killed.
        expect_same(&scene.end(&reference.outcome), reference, &when);
        scene.resume(&run).expect_code(2);
        return;
    }
    assert_eq!(killed.signal(), Some(9), "{when}");
    expect_explained(&scene.show(&run), &run);
    if at_work(journal.records()).contains("2/fix/1") {
        // It commits, and a git that is killed leaves its lock.
        Scene::wait_until_childless(&run);
    }
    let end = scene.end(&scene.resume(&run));
    expect_same(&end, reference, &when);
    assert_eq!(end.report.undone.len(), n_interrupted_writes(journal.records()), "{when}");
    let starts = scene.starts();
    for call in heard(journal.records()) {
        assert_eq!(starts.get(call), Some(&1), "{call} was paid once; {when}");
    }
    let called: BTreeSet<&str> = starts.keys().map(String::as_str).collect();
    assert_eq!(called, calls(reference.journal.records()), "{when}");
    scene.expect_tidy(&run, &when);
}

#[track_caller]
fn expect_explained(shown: &Outcome, run: &str) {
    shown.expect_code(0);
    let how = format!("tribunal runs resume {run}");
    assert!(shown.stdout.contains(&how), "{}", shown.stdout);
}

#[track_caller]
fn expect_same(end: &scene::End, reference: &Reference, when: &str) {
    assert_eq!(end.without_undone(), reference.end.without_undone(), "{when}");
}

#[track_caller]
fn expect_refused(scene: &Scene, run: &str, commands: &[&str], named: &str) {
    for command in commands {
        let outcome = scene.runs(&[command, run]).run();
        outcome.expect_code(3);
        assert!(outcome.stderr.contains(named), "{command}: {}", outcome.stderr);
    }
}

/// Calls that were launched.
fn calls(records: &[Record]) -> BTreeSet<&str> {
    let launched = records.iter().filter_map(|record| match record {
        Record::Launched(call) => Some(call.as_str()),
        _ => None,
    });
    launched.collect()
}

/// Calls whose end is on record.
fn heard(records: &[Record]) -> BTreeSet<&str> {
    let replied = records.iter().filter_map(|record| match record {
        Record::Replied(call) => Some(call.as_str()),
        _ => None,
    });
    replied.collect()
}

/// Calls whose children may live.
fn at_work(records: &[Record]) -> BTreeSet<&str> {
    let since = records.iter().rposition(|record| *record == Record::Resumed).unwrap_or(0);
    let heard = heard(records);
    calls(&records[since..]).into_iter().filter(|call| !heard.contains(call)).collect()
}

/// How often a call that writes was at work when the run was killed, the last time included.
fn n_interrupted_writes(records: &[Record]) -> usize {
    let kills = records.iter().enumerate().filter(|(_, record)| **record == Record::Resumed);
    let kills = kills.map(|(at, _)| at).chain([records.len()]);
    kills
        .map(|kill| at_work(&records[..kill]).into_iter().filter(|call| is_fix(call)).count())
        .sum()
}

fn snapshot(record: &Record) -> Option<u32> {
    match record {
        Record::Snapped(number) => Some(*number),
        _ => None,
    }
}

/// The number of a record.
fn position(reference: &Reference, record: &Record) -> usize {
    nth(reference.journal.records(), record, 1)
}

/// The number, from 1, of the `n`-th record that is like this one.
fn nth(records: &[Record], like: &Record, n: usize) -> usize {
    let mut found = records.iter().enumerate().filter(|(_, record)| *record == like);
    found.nth(n - 1).map_or_else(|| panic!("no {like:?}"), |(at, _)| at + 1)
}

/// The next number below `end`.
fn take(next: &AtomicUsize, end: usize) -> Option<usize> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    (number < end).then_some(number)
}

fn at_once(play: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 0..N_SCENES {
            scope.spawn(&play);
        }
    });
}

/// `SplitMix64`: enough to choose records, and the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}
