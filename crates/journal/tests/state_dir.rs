//! Runs in their folder: who may open what, and what is found again.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tribunal_journal::{JournalErrorKind, Run, StateDir};
use tribunal_phase::{ArtifactId, CallId, Event, FrameId, Outcome, RunId, StepId, What};
use tribunal_record::{Body, Note};

struct State {
    folder: TempDir,
    dir: StateDir,
}

impl State {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = StateDir::open(&folder.path().join("state")).expect("a fresh state folder");
        Self { folder, dir }
    }

    fn create(&self, id: &str) -> Run {
        self.dir.create(&RunId::new(id)).expect("a fresh run")
    }

    fn open(&self, id: &str) -> Run {
        self.dir.open_run(&RunId::new(id)).expect("a run that nobody works on")
    }

    fn path(&self, id: &str, below: &str) -> PathBuf {
        self.folder.path().join("state/runs").join(id).join(below)
    }

    fn append_began(run: &mut Run) -> u64 {
        run.append(Body::Event(Event { at: 0, what: What::Began }), 6).expect("appended")
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("something is there").permissions().mode() & 0o7777
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a UTF-8 name"))
        .collect();
    names.sort();
    names
}

#[test]
fn records_and_artifacts_are_found_again() {
    let state = State::new();
    let mut run = state.create("r1");
    let definition = run.keep(b"the definition").expect("kept");
    let defined = Body::Note(Note::Defined { definition: definition.clone() });
    assert_eq!(run.append(defined, 5).expect("appended"), 1);
    assert_eq!(State::append_began(&mut run), 2);
    let finished = Body::Note(Note::Finished { outcome: Outcome::Completed });
    assert_eq!(run.append(finished, 7).expect("appended"), 3);
    let records = run.records().to_vec();
    assert_eq!(records.iter().map(|record| record.time).collect::<Vec<_>>(), [5, 6, 7]);
    run.close().expect("closed");

    let mut run = state.open("r1");
    assert_eq!(run.records(), records);
    assert_eq!(run.artifact(&definition).expect("kept"), b"the definition");
    assert_eq!(State::append_began(&mut run), 4);
    let past = state.dir.read(&RunId::new("r1")).expect("a run that another works on");
    assert_eq!(past.records(), run.records());
    assert_eq!(past.artifact(&definition).expect("kept"), b"the definition");
}

#[test]
fn one_process_at_a_time_works_on_a_run() {
    let state = State::new();
    let id = RunId::new("r1");
    let run = state.create("r1");
    let error = state.dir.open_run(&id).expect_err("locked");
    assert!(matches!(&error.kind, JournalErrorKind::Locked(run) if *run == id), "{error}");
    let error = state.dir.create(&id).expect_err("locked");
    assert!(matches!(&error.kind, JournalErrorKind::Locked(run) if *run == id), "{error}");
    drop(run);
    let error = state.dir.create(&id).expect_err("exists");
    assert!(matches!(&error.kind, JournalErrorKind::RunExists(run) if *run == id), "{error}");
    state.open("r1").close().expect("closed");
    state.open("r1");
}

#[test]
fn runs_are_listed_newest_first_and_found_by_the_beginning_of_their_name() {
    let state = State::new();
    for id in ["a1", "b22", "b23"] {
        state.create(id).close().expect("closed");
    }
    fs::create_dir(state.path("c-without-a-journal", "")).expect("made");
    fs::write(state.folder.path().join("state/runs/no run.txt"), "").expect("written");
    let ids = |ids: &[&str]| ids.iter().map(|id| RunId::new(*id)).collect::<Vec<_>>();
    assert_eq!(state.dir.list().expect("listed"), ids(&["b23", "b22", "a1"]));
    assert_eq!(state.dir.resolve("a").expect("one"), RunId::new("a1"));
    assert_eq!(state.dir.resolve("b22").expect("one"), RunId::new("b22"));
    let error = state.dir.resolve("b2").expect_err("two");
    let JournalErrorKind::Ambiguous { prefix, runs } = error.kind else { panic!("{error}") };
    assert_eq!((prefix.as_str(), runs), ("b2", ids(&["b23", "b22"])));
    for nothing in ["", "x", "c", "../runs/a1"] {
        let error = state.dir.resolve(nothing).expect_err(nothing);
        assert!(matches!(error.kind, JournalErrorKind::NoSuchRun { .. }), "{error}");
    }
    let (older, newer) = (StateDir::new_id(), StateDir::new_id());
    assert!(older < newer);
}

#[test]
fn a_name_never_leads_out_of_the_folder() {
    let state = State::new();
    let longest = "x".repeat(64);
    state.create(&longest);
    for bad in ["", "..", "a/b", "-a", "a b", ".hidden", "ü", &"x".repeat(65)] {
        let id = RunId::new(bad);
        for error in [
            state.dir.create(&id).expect_err(bad),
            state.dir.open_run(&id).expect_err(bad),
            state.dir.read(&id).expect_err(bad),
        ] {
            assert!(matches!(error.kind, JournalErrorKind::BadRunId(_)), "{error}");
        }
    }
    let run = state.create("r1");
    fs::write(state.path("r1", "secret"), "x").expect("written");
    for bad in ["", "../secret", "ab"] {
        let error = run.artifact(&ArtifactId::new(bad)).expect_err(bad);
        assert!(matches!(error.kind, JournalErrorKind::NoArtifact(_)), "{error}");
    }
}

#[test]
fn everything_made_is_private_and_what_was_there_keeps_its_mode() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    let there = outside.path().join("there");
    fs::create_dir(&there).expect("made");
    fs::set_permissions(&there, fs::Permissions::from_mode(0o755)).expect("set");
    let dir = StateDir::open(&there).expect("opened");
    assert_eq!(mode(&there), 0o755);
    let mut run = dir.create(&RunId::new("r1")).expect("created");
    State::append_began(&mut run);
    run.keep(b"x").expect("kept");
    let call = CallId { frame: FrameId(1), step: StepId::new("seek"), turn: 1 };
    run.spool(&call, 1).expect("spooled");
    run.command_files(&call, &[("v".to_owned(), b"1".to_vec())]).expect("made");
    let mut open = vec![there.join("runs")];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let found = fs::symlink_metadata(&path).expect("it was listed");
        assert_eq!(mode(&path), if found.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        seen += 1;
        if found.is_dir() {
            open.extend(names_in(&path).iter().map(|name| path.join(name)));
        }
    }
    assert!(seen >= 12, "{seen} files and folders");
}

#[test]
fn links_are_refused() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    let (real, link) = (outside.path().join("real"), outside.path().join("link"));
    fs::create_dir(&real).expect("made");
    symlink(&real, &link).expect("linked");
    let error = StateDir::open(&link).expect_err("a link");
    assert!(matches!(error.kind, JournalErrorKind::Link), "{error}");
    let file = outside.path().join("file");
    fs::write(&file, "x").expect("written");
    let error = StateDir::open(&file).expect_err("a file");
    assert!(matches!(error.kind, JournalErrorKind::NotAFolder), "{error}");

    let state = State::new();
    let mut run = state.create("r1");
    let link = state.folder.path().join("link.txt");
    symlink(&file, &link).expect("linked");
    let error = run.keep_file(&link).expect_err("a link");
    assert!(matches!(error.kind, JournalErrorKind::Link), "{error}");
    let error = run.keep_file(&real).expect_err("a folder");
    assert!(matches!(error.kind, JournalErrorKind::NotAFile), "{error}");
    assert!(file.exists());
}

#[test]
fn equal_content_is_kept_once_and_damage_is_noticed() {
    let state = State::new();
    let mut run = state.create("r1");
    let kept = run.keep(b"same").expect("kept");
    assert_eq!(run.keep(b"same").expect("kept"), kept);
    let call = CallId { frame: FrameId(1), step: StepId::new("seek"), turn: 1 };
    let (mut file, path) = run.spool(&call, 1).expect("spooled");
    std::io::Write::write_all(&mut file, b"same").expect("written");
    assert_eq!(run.keep_file(&path).expect("kept"), kept);
    assert!(!path.exists());
    let big = vec![7_u8; 300_000];
    fs::write(&path, &big).expect("written");
    let other = run.keep_file(&path).expect("kept");
    assert!(!path.exists());
    assert_eq!(run.artifact(&other).expect("kept"), big);
    assert_eq!(names_in(&state.path("r1", "artifacts")).len(), 2);

    fs::write(state.path("r1", "artifacts").join(kept.as_str()), "SAME").expect("written");
    let error = run.artifact(&kept).expect_err("damaged");
    assert!(matches!(&error.kind, JournalErrorKind::DamagedArtifact(id) if *id == kept), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_another_file_system_is_copied_in() {
    let elsewhere = tempfile::tempdir_in("/dev/shm").expect("Linux has a file system in memory");
    let state = State::new();
    let mut run = state.create("r1");
    let path = elsewhere.path().join("reply");
    fs::write(&path, "from elsewhere").expect("written");
    let kept = run.keep_file(&path).expect("kept");
    assert_eq!(run.artifact(&kept).expect("kept"), b"from elsewhere");
    assert!(!path.exists());
}

#[test]
fn temporary_files_go_when_the_run_is_closed_dropped_or_opened_after_a_kill() {
    let state = State::new();
    let system = tempfile::tempdir().expect("a temporary folder");
    let dir = state.dir.clone().with_tmp_below(system.path());
    let id = RunId::new("r1");
    let call = CallId { frame: FrameId(1), step: StepId::new("seek"), turn: 1 };

    let run = dir.create(&id).expect("created");
    assert_eq!(run.tmp().parent(), Some(system.path()));
    assert_eq!(mode(run.tmp()), 0o700);
    fs::write(run.tmp().join("left"), "x").expect("written");
    run.close().expect("closed");
    assert_eq!(names_in(system.path()), Vec::<String>::new());

    let run = dir.open_run(&id).expect("opened");
    run.spool(&call, 1).expect("spooled");
    drop(run);
    assert_eq!(names_in(system.path()), Vec::<String>::new());
    assert!(!state.path("r1", "spool").exists());

    for clear in [true, false] {
        let run = dir.open_run(&id).expect("opened");
        let left = run.tmp().to_owned();
        run.spool(&call, 1).expect("spooled");
        fs::write(state.path("r1", "artifacts/.part-left"), "x").expect("written");
        let note = fs::read(state.path("r1", "tmp-place")).expect("noted");
        drop(run);
        // As a killed process would have left it.
        fs::create_dir(&left).expect("made");
        fs::write(state.path("r1", "tmp-place"), note).expect("written");
        if clear {
            assert_eq!(idle_runs(&dir), std::slice::from_ref(&id));
            assert_eq!(names_in(system.path()), Vec::<String>::new());
        } else {
            let run = dir.open_run(&id).expect("opened");
            assert_ne!(run.tmp(), left);
            assert!(!left.exists());
            assert_eq!(names_in(&state.path("r1", "artifacts")), Vec::<String>::new());
        }
    }
}

/// Clears away, and gives the runs that nobody worked on, or could begin to, meanwhile.
fn idle_runs(dir: &StateDir) -> Vec<RunId> {
    let mut idle = Vec::new();
    let end = |id: &RunId| {
        let error = dir.open_run(id).expect_err("it is held");
        assert!(matches!(error.kind, JournalErrorKind::Locked(_)), "{error}");
        idle.push(id.clone());
    };
    dir.clear_leftovers(end).expect("cleared");
    idle
}

#[test]
fn a_note_that_names_a_folder_of_others_removes_nothing() {
    let state = State::new();
    state.create("r1").close().expect("closed");
    let precious = state.folder.path().join("precious");
    fs::create_dir(&precious).expect("made");
    let link = state.folder.path().join("tribunal-link");
    symlink(&precious, &link).expect("linked");
    for place in [&precious, &link] {
        fs::write(state.path("r1", "tmp-place"), place.as_os_str().as_encoded_bytes())
            .expect("written");
        state.open("r1");
        assert!(precious.is_dir());
    }
}

#[test]
fn clearing_leaves_runs_at_work_alone_and_removes_incomplete_ones() {
    let state = State::new();
    let at_work = state.create("at-work");
    state.create("idle").close().expect("closed");
    fs::create_dir(state.path("incomplete", "")).expect("made");
    assert_eq!(idle_runs(&state.dir), [RunId::new("idle")]);
    assert!(at_work.tmp().is_dir());
    assert!(!state.path("incomplete", "").exists());
    // One who was killed while making it leaves a name that can be used.
    fs::create_dir(state.path("again", "")).expect("made");
    fs::write(state.path("again", "journal.part"), "{").expect("written");
    state.create("again");
}

#[test]
fn files_of_a_command_are_private_and_those_of_an_earlier_launch_are_gone() {
    let state = State::new();
    let run = state.create("r1");
    let call = CallId { frame: FrameId(1), step: StepId::new("../x"), turn: 1 };
    let files = |name: &str| [(name.to_owned(), b"1".to_vec())];
    let folder = run.command_files(&call, &files("v")).expect("made");
    assert_eq!(fs::read(folder.join("v")).expect("there"), b"1");
    assert_eq!(mode(&folder.join("v")), 0o600);
    assert!(folder.starts_with(fs::canonicalize(state.path("r1", "values")).expect("there")));
    assert_eq!(run.command_files(&call, &files("w")).expect("made"), folder);
    assert_eq!(names_in(&folder), ["w"]);
}

#[test]
fn files_that_calls_share_are_private_stay_in_their_folder_and_are_written_anew() {
    let state = State::new();
    let run = state.create("r1");
    let share = |name: &'static str| run.shared_files("rules-1", [(name, b"1".as_slice())]);
    let folder = share("python/no-print.yml").expect("made");
    assert_eq!(fs::read(folder.join("python/no-print.yml")).expect("there"), b"1");
    assert_eq!(mode(&folder.join("python")), 0o700);
    assert_eq!(mode(&folder.join("python/no-print.yml")), 0o600);
    assert_eq!(share("other.yml").expect("made"), folder);
    assert_eq!(names_in(&folder), ["other.yml"]);
    for name in ["../x", "/x", "a/../x", "."] {
        let error = share(name).expect_err("it leads elsewhere");
        assert!(matches!(error.kind, JournalErrorKind::BadFileName(_)), "{error}");
    }
    run.close().expect("closed");
    assert!(!folder.exists());
}
