//! What a crash leaves is a prefix of what was recorded, or a clear error.

use std::collections::hash_map::RandomState;
use std::env;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tribunal_journal::{JournalErrorKind, StateDir};
use tribunal_phase::{
    ArtifactId, CallId, Event, FrameId, Guarded, Heard, RunId, StepId, Usage, What,
};
use tribunal_record::{Body, Note, Record};

fn run_id() -> RunId {
    RunId::new("r1")
}

/// The n-th thing that happens, so that a reader knows what a prefix looks like.
fn body(n: u64, artifact: &ArtifactId) -> Body {
    let call = CallId { frame: FrameId(1), step: StepId::new("seek"), turn: 1 };
    let event = |what| Body::Event(Event { at: n, what });
    match n % 5 {
        0 => event(What::Launched { call, attempt: 1, prompt: artifact.clone() }),
        1 => event(What::Replied {
            call,
            heard: Heard::Fault(tribunal_phase::Fault::Deadline),
            usage: Usage::default(),
            reply: Some(artifact.clone()),
        }),
        2 => event(What::Guarded { call, answer: Guarded::Go }),
        3 => event(What::Kept { call, place: "ä |\n\u{1b}[2J".to_owned() }),
        _ => Body::Note(Note::Defined { definition: artifact.clone() }),
    }
}

fn content(n: u64) -> Vec<u8> {
    format!("artifact {}", n / 3).into_bytes()
}

struct Journal {
    _folder: tempfile::TempDir,
    state: PathBuf,
    file: PathBuf,
}

impl Journal {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let state = folder.path().join("state");
        let file = state.join("runs/r1/journal.jsonl");
        Self { _folder: folder, state, file }
    }

    fn dir(&self) -> StateDir {
        StateDir::open(&self.state).expect("a state folder")
    }

    fn with_records(&self, n: u64) -> Vec<Record> {
        let mut run = self.dir().create(&run_id()).expect("a fresh run");
        for number in 1..=n {
            let artifact = run.keep(&content(number)).expect("kept");
            run.append(body(number, &artifact), number).expect("appended");
        }
        let records = run.records().to_vec();
        run.close().expect("closed");
        records
    }
}

#[test]
fn a_journal_cut_at_any_byte_gives_a_prefix_and_goes_on() {
    let journal = Journal::new();
    let records = journal.with_records(5);
    let bytes = fs::read(&journal.file).expect("read");
    let dir = journal.dir();
    let header = bytes.iter().position(|byte| *byte == b'\n').expect("a header line") + 1;
    for cut in 0..=bytes.len() {
        // A new file each time: one that is cut to nothing first is flushed by some file systems.
        fs::remove_file(&journal.file).expect("removed");
        fs::write(&journal.file, &bytes[..cut]).expect("written");
        if cut < header {
            let error = dir.open_run(&run_id()).expect_err("no header");
            assert!(matches!(error.kind, JournalErrorKind::NoHeader), "{cut}: {error}");
            continue;
        }
        let whole = bytes[..cut].iter().filter(|byte| **byte == b'\n').count() - 1;
        let end = bytes[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let torn = (cut - end) as u64;
        let past = dir.read(&run_id()).expect("a prefix");
        assert_eq!(past.records(), &records[..whole], "{cut}");
        assert_eq!(fs::read(&journal.file).expect("read").len(), cut, "reading changes nothing");

        let mut run = dir.open_run(&run_id()).expect("a prefix");
        assert_eq!(&run.records()[..whole], &records[..whole], "{cut}");
        let notes: Vec<&Body> = run.records()[whole..].iter().map(|record| &record.body).collect();
        let note = Body::Note(Note::TornLine { dropped: torn });
        assert_eq!(notes, if torn > 0 { vec![&note] } else { vec![] }, "{cut}");
        let seq = run.append(body(2, &ArtifactId::new("x")), 9).expect("appended");
        let expected = run.records().to_vec();
        assert_eq!(seq, expected.len() as u64);
        drop(run);
        assert_eq!(dir.read(&run_id()).expect("whole again").records(), expected, "{cut}");
    }
}

fn check_damage(damage: impl FnOnce(&mut Vec<Vec<u8>>), line: u64, expected: &str) {
    let journal = Journal::new();
    journal.with_records(6);
    let bytes = fs::read(&journal.file).expect("read");
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    damage(&mut lines);
    let damaged = lines.concat();
    fs::write(&journal.file, &damaged).expect("written");
    let error = journal.dir().open_run(&run_id()).expect_err(expected);
    let said = error.kind.to_string();
    assert!(said.starts_with(&format!("line {line}: {expected}")), "{said}");
    let error = journal.dir().read(&run_id()).expect_err(expected);
    assert_eq!(error.kind.to_string(), said);
    assert_eq!(fs::read(&journal.file).expect("read"), damaged, "nothing is cut or mended");
}

#[test]
fn damage_in_the_middle_is_an_error_that_names_the_line() {
    check_damage(|lines| lines[3].truncate(20), 4, "record 3: not readable");
    check_damage(|lines| lines[3] = b"\n".to_vec(), 4, "record 3: not readable");
    check_damage(|lines| lines[2][5] = 0xff, 3, "no UTF-8 text");
    check_damage(|lines| drop(lines.remove(3)), 4, "record 3: carries number 4");
    check_damage(|lines| lines.swap(3, 4), 4, "record 3: carries number 4");
    check_damage(|lines| lines.insert(3, lines[2].clone()), 4, "record 3: carries number 2");
    let one_character = |lines: &mut Vec<Vec<u8>>| {
        let text = String::from_utf8(lines[3].clone()).expect("a line of text");
        lines[3] = text.replace("\"at\":3", "\"at\":4").into_bytes();
    };
    check_damage(one_character, 5, "record 4: does not follow the record before it");
    let newer = |lines: &mut Vec<Vec<u8>>| lines[0] = b"{\"format\":\"2.0\"}\n".to_vec();
    check_damage(newer, 1, "record 0: format 2.0 is newer than ");
}

#[test]
fn a_journal_of_another_run_is_refused() {
    let journal = Journal::new();
    journal.with_records(1);
    let text = fs::read_to_string(&journal.file).expect("read");
    fs::write(&journal.file, text.replacen("\"run\":\"r1\"", "\"run\":\"r2\"", 1))
        .expect("written");
    let error = journal.dir().open_run(&run_id()).expect_err("another run's");
    assert!(matches!(error.kind, JournalErrorKind::OtherRun(_)), "{error}");
}

/// Set for the child that writes until it is killed.
const STATE_OF_WRITER: &str = "JOURNAL_TEST_STATE";
const KILLS: u64 = 25;

#[test]
fn a_writer_killed_at_any_instant_leaves_all_it_was_acknowledged() {
    if let Some(state) = env::var_os(STATE_OF_WRITER) {
        write_for_ever(Path::new(&state));
    }
    let seed = RandomState::new().build_hasher().finish();
    println!("seed: {seed}");
    let mut random = Random(seed);
    let journal = Journal::new();
    let mut written = 0;
    for kill in 0..KILLS {
        let acknowledged = write_and_kill(&journal.state, &mut random).max(written);
        let dir = journal.dir();
        let list = dir.list().expect("listed");
        if list.is_empty() {
            assert_eq!(acknowledged, 0, "kill {kill}");
            continue;
        }
        let mut run = dir.open_run(&run_id()).expect("a killed writer leaves a run that opens");
        let events: Vec<Record> = run
            .records()
            .iter()
            .filter(|record| !matches!(record.body, Body::Note(Note::TornLine { .. })))
            .cloned()
            .collect();
        assert!(events.len() as u64 >= acknowledged, "kill {kill}: {} records", events.len());
        for (record, number) in events.iter().zip(1_u64..) {
            let artifact = run.keep(&content(number)).expect("kept");
            assert_eq!(record.body, body(number, &artifact), "kill {kill}");
            assert_eq!(run.artifact(&artifact).expect("kept"), content(number));
        }
        written = events.len() as u64;
    }
    assert!(written > KILLS, "{written} records survived");
}

/// Plays a writer in a process of its own, kills it at a random instant, and gives the number of the
/// last record that it was told is written.
fn write_and_kill(state: &Path, random: &mut Random) -> u64 {
    let (acks, pause) = (random.below(30), Duration::from_micros(random.below(15_000)));
    let mut child = Command::new(env::current_exe().expect("a test is a program"))
        .args(["--exact", "a_writer_killed_at_any_instant_leaves_all_it_was_acknowledged"])
        .arg("--nocapture")
        .env(STATE_OF_WRITER, state)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a test can be started");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut last = 0;
    let mut note = |line: std::io::Result<String>| {
        let line = line.expect("a line of text");
        let Some((_, number)) = line.rsplit_once("written ") else { return false };
        last = number.parse().expect("a number");
        true
    };
    let mut seen = 0;
    while seen < acks {
        let line = lines.next().expect("the writer writes until it is killed");
        seen += u64::from(note(line));
    }
    let now = Instant::now();
    while now.elapsed() < pause {
        std::hint::spin_loop();
    }
    child.kill().expect("it is alive");
    child.wait().expect("it was killed");
    // What it had been told before the kill and we had not read.
    for line in lines {
        note(line);
    }
    last
}

fn write_for_ever(state: &Path) -> ! {
    let dir = StateDir::open(state).expect("a state folder");
    let is_new = dir.list().expect("listed").is_empty();
    let opened = if is_new { dir.create(&run_id()) } else { dir.open_run(&run_id()) };
    let mut run = opened.expect("a killed writer leaves a run that opens");
    let is_torn = |record: &&Record| matches!(record.body, Body::Note(Note::TornLine { .. }));
    let mut number = (run.records().len() - run.records().iter().filter(is_torn).count()) as u64;
    loop {
        number += 1;
        let artifact = run.keep(&content(number)).expect("kept");
        run.append(body(number, &artifact), number).expect("appended");
        let mut out = std::io::stdout().lock();
        writeln!(out, "written {number}").and_then(|()| out.flush()).expect("the parent reads");
    }
}

/// `SplitMix64`: enough to choose instants, and the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}
