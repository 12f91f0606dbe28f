//! A machine on which an audit is killed, and put back to any moment of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tribunal_test_support::{
    Moment, Outcome, Program, Repo, Sandbox, binary, carriers, stamps, wait_until,
};

use super::play::{Play, RECIPE_FILE};
use super::wire::{Journal, Record, Report};

const LONG: Duration = Duration::from_secs(60);
const OUTPUT: &str = "eval_results/quality_audit";
const FULL_RECIPE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../recipes/quality-audit-cycle.yaml");

pub(super) struct Scene {
    pub(super) sandbox: Sandbox,
    pub(super) repo: Repo,
    play: Play,
    command: String,
}

/// A run from its beginning to its end, with the trees between.
pub(super) struct Reference {
    pub(super) run: String,
    pub(super) journal: Journal,
    /// The end of its last program.
    pub(super) outcome: Outcome,
    pub(super) end: End,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    pub(super) code: Option<i32>,
    pub(super) report: Report,
    /// All files of the work tree, those that the audit wrote for people included.
    files: BTreeMap<String, Vec<u8>>,
    index: String,
    /// The trees and messages of the branch's commits.
    commits: String,
    head: String,
    status: String,
}

/// The tree that a killed run left.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Left {
    /// The copy that it equals.
    copy: String,
    /// A fixer was half way through its work.
    half: bool,
}

impl Scene {
    pub(super) fn new(play: Play) -> Self {
        let sandbox = Sandbox::new();
        let scenario = play.scenario(&sandbox);
        let repo = play.repository(&sandbox, &scenario);
        let place = sandbox.root().join("place");
        fs::create_dir(&place).expect("made");
        fs::write(sandbox.root().join("agent.sh"), include_str!("agent.sh")).expect("written");
        fs::copy(FULL_RECIPE, sandbox.root().join(RECIPE_FILE)).expect("copied");
        scenario.store(&sandbox.root().join("scenario.json"));
        let command = [
            Path::new("sh"),
            &sandbox.root().join("agent.sh"),
            &place,
            &binary("scripted-agent"),
            &sandbox.root().join("scenario.json"),
        ];
        let command: Vec<String> =
            command.iter().map(|word| format!("'{}'", word.display())).collect();
        let scene = Self { sandbox, repo, play, command: command.join(" ") };
        scene.copy(scene.repo.root(), &scene.place("start"));
        scene
    }

    /// Where the agents keep copies of the tree and find what they are told.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.sandbox.root().join("place").join(name)
    }

    pub(super) fn tell(&self, name: &str, text: &str) {
        fs::write(self.place(name), text).expect("written");
    }

    pub(super) fn audit(&self) -> Program {
        let arguments = self.play.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let program = self.sandbox.tribunal(&arguments).dir(self.repo.root());
        program.arg("--agent-command").arg(&self.command)
    }

    pub(super) fn runs(&self, arguments: &[&str]) -> Program {
        self.sandbox.tribunal(&["runs"]).args(arguments).dir(self.repo.root())
    }

    pub(super) fn show(&self, run: &str) -> Outcome {
        self.runs(&["show", run]).run()
    }

    pub(super) fn resume(&self, run: &str) -> Outcome {
        self.runs(&["resume", run]).run()
    }

    fn state(&self) -> PathBuf {
        self.sandbox.state().join("tribunal/runs")
    }

    /// The newest run, once there is one.
    pub(super) fn newest_run(&self) -> Option<String> {
        let runs = fs::read_dir(self.state()).ok()?;
        let names = runs.map(|run| run.expect("listed").file_name());
        names.max().map(|name| name.into_string().expect("a run's name is UTF-8"))
    }

    pub(super) fn run_folder(&self, run: &str) -> PathBuf {
        self.state().join(run)
    }

    pub(super) fn journal(&self, run: &str) -> Journal {
        Journal::read(&self.run_folder(run).join("journal.jsonl"))
    }

    pub(super) fn output(&self, file: &str) -> PathBuf {
        self.repo.path(OUTPUT).join(file)
    }

    /// Waits until the journal of the newest run has `n` records; does not sleep, since many records
    /// are only microseconds apart.
    pub(super) fn wait_for_records(&self, n: usize) {
        let start = Instant::now();
        let has_them = || {
            let file = self.run_folder(&self.newest_run()?).join("journal.jsonl");
            let bytes = fs::read(file).ok()?;
            Some(bytes.iter().filter(|byte| **byte == b'\n').count() > n)
        };
        while has_them() != Some(true) {
            assert!(start.elapsed() < LONG, "waited in vain for record {n}");
            thread::yield_now();
        }
    }

    pub(super) fn wait_for(&self, name: &str) {
        wait_until(|| self.place(name).exists(), LONG, name);
    }

    /// Living processes that a run started.
    pub(super) fn children_of(run: &str) -> Vec<u32> {
        carriers(&format!("TRIBUNAL_RUN={run}"))
    }

    pub(super) fn wait_until_childless(run: &str) {
        wait_until(|| Self::children_of(run).is_empty(), LONG, "its children have ended");
    }

    /// Runs a program that ends a run, and keeps the run with all its trees.
    pub(super) fn recorded(&self, program: Program) -> Reference {
        self.tell("keep", "");
        let outcome = program.run();
        fs::remove_file(self.place("keep")).expect("it was told");
        let run = self.newest_run().expect("a run was recorded");
        let end = self.end(&outcome);
        self.copy(self.repo.root(), &self.place("final"));
        self.copy(&self.run_folder(&run), &self.place("run"));
        Reference { journal: self.journal(&run), run, outcome, end }
    }

    /// What the last program came to, and what stands on the disk now.
    pub(super) fn end(&self, outcome: &Outcome) -> End {
        let findings = self.output("findings.json");
        assert!(findings.is_file(), "no report\n{}\n{}", outcome.stdout, outcome.stderr);
        let mut files = BTreeMap::new();
        self.collect(Path::new(""), &mut files);
        for report in ["findings.json", "report.md"] {
            let name = format!("{OUTPUT}/{report}");
            // Times, run and attempts stand in them; that they are there is what counts.
            files.insert(name.clone(), Vec::new()).unwrap_or_else(|| panic!("no {name}"));
        }
        End {
            code: outcome.code(),
            report: Report::read(&findings),
            files,
            index: self.repo.git(&["ls-files", "--stage"]),
            commits: self.repo.git(&["log", "--format=%T %s", "main"]),
            head: self.repo.git(&["symbolic-ref", "HEAD"]),
            status: self.repo.status(),
        }
    }

    fn collect(&self, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(self.repo.root().join(folder)).expect("listed") {
            let path = folder.join(entry.expect("listed").file_name());
            let full = self.repo.root().join(&path);
            if path == Path::new(".git") {
                continue;
            }
            if full.is_dir() {
                self.collect(&path, files);
            } else {
                let name = path.to_str().expect("a UTF-8 path").to_owned();
                files.insert(name, fs::read(full).expect("read"));
            }
        }
    }

    /// Puts everything back to before any run.
    pub(super) fn start_over(&self) {
        self.replace_repository("start");
        remove(&self.state());
        self.forget_log();
    }

    fn replace_repository(&self, copy: &str) {
        remove(self.repo.root());
        self.copy(&self.place(copy), self.repo.root());
    }

    fn forget_log(&self) {
        if self.sandbox.log().exists() {
            fs::remove_file(self.sandbox.log()).expect("removed");
        }
    }

    /// Puts everything back to where a run stood that was killed after its first `cut` records.
    pub(super) fn put_back(&self, reference: &Reference, cut: usize, left: &Left) {
        let (run, records) = (&reference.run, reference.journal.first(cut));
        self.replace_repository(&left.copy);
        self.put_snapshots_back(run, records);
        remove(&self.repo.path("eval_results"));
        for record in records {
            if let Record::Kept { place, .. } = record {
                let file = self.repo.path(place);
                fs::create_dir_all(file.parent().expect("a folder")).expect("made");
                fs::copy(self.place("final").join(place), file).expect("copied");
            }
        }
        if left.half {
            self.do_half();
        }
        let folder = self.run_folder(run);
        remove(&self.state());
        fs::create_dir_all(self.state()).expect("made");
        self.copy(&self.place("run"), &folder);
        fs::write(folder.join("journal.jsonl"), reference.journal.text(cut)).expect("written");
        self.leave_temporary_files(reference, cut);
        self.forget_log();
    }

    /// Objects that no ref names do no harm, later snapshots might.
    fn put_snapshots_back(&self, run: &str, records: &[Record]) {
        let kept = self.place("final").join(".git");
        let git = self.repo.path(".git");
        remove(&git.join("objects"));
        self.copy(&kept.join("objects"), &git.join("objects"));
        remove(&git.join("refs/tribunal"));
        let folder = Path::new("refs/tribunal").join(run);
        fs::create_dir_all(git.join(&folder)).expect("made");
        for record in records {
            if let Record::Snapped(number) = record {
                let reference = folder.join(number.to_string());
                fs::copy(kept.join(&reference), git.join(&reference)).expect("copied");
            }
        }
    }

    /// What a fixer has done that is killed half way.
    fn do_half(&self) {
        self.repo.write("src/pay.py", "# pa").remove("src/ship.py").write("src/half.py", "half\n");
        self.repo.git(&["add", "src/half.py"]);
    }

    /// What a killed run leaves behind beside its records.
    fn leave_temporary_files(&self, reference: &Reference, cut: usize) {
        let folder = self.run_folder(&reference.run);
        let tmp = self.sandbox.tmp().join("tribunal-0123456789ab");
        for left in [&tmp, &folder.join("spool"), &folder.join("values")] {
            fs::create_dir_all(left).expect("made");
            fs::write(left.join("1.seek.1.1.out"), "half of a reply").expect("written");
        }
        fs::write(folder.join("tmp-place"), tmp.as_os_str().as_encoded_bytes()).expect("written");
        fs::write(folder.join("artifacts/.part-left"), "half").expect("written");
        let git = self.repo.path(".git");
        match reference.next(cut) {
            Some(Record::Kept { place, .. }) => self.leave_part(&self.repo.path(place), reference),
            Some(Record::Finished) => self.leave_part(&self.output("findings.json"), reference),
            Some(Record::Snapped(number)) => {
                let lock = format!("refs/tribunal/{}/{number}.lock", reference.run);
                fs::write(git.join(lock), "").expect("written");
            }
            Some(Record::Restored(_)) => {
                let own = git.join(format!("tribunal-{}.index", reference.run));
                fs::write(&own, "half of an index").expect("written");
                fs::hard_link(own, git.join("index.lock")).expect("linked");
            }
            _ => {}
        }
    }

    fn leave_part(&self, of: &Path, reference: &Reference) {
        let output = of.parent().expect("a folder");
        fs::create_dir_all(output).expect("made");
        fs::write(output.join(format!(".{}.part", reference.run)), "ha").expect("written");
    }

    /// Everything that a killed run leaves for a while has gone.
    pub(super) fn expect_tidy(&self, run: &str, when: &str) {
        assert_eq!(Self::children_of(run), Vec::<u32>::new(), "{when}");
        assert_eq!(names_in(&self.sandbox.tmp()), [""; 0], "{when}");
        assert_eq!(
            names_in(&self.run_folder(run)),
            ["artifacts", "journal.jsonl", "lock"],
            "{when}"
        );
        let artifacts = names_in(&self.run_folder(run).join("artifacts"));
        assert!(artifacts.iter().all(|name| !name.starts_with('.')), "{when}: {artifacts:?}");
        let mut left = Vec::new();
        find_left(&self.repo.path(".git"), &mut left);
        assert_eq!(left, Vec::<PathBuf>::new(), "{when}");
    }

    /// How often each call was started, as the agents tell.
    pub(super) fn starts(&self) -> BTreeMap<String, usize> {
        let mut starts = BTreeMap::new();
        for stamp in stamps(&self.sandbox.log()) {
            if stamp.event == Moment::Start {
                *starts.entry(stamp.call).or_default() += 1;
            }
        }
        starts
    }

    pub(super) fn copy(&self, from: &Path, to: &Path) {
        remove(to);
        let program = self.sandbox.program("cp").arg("-a").arg(from).arg(to);
        program.run().expect_code(0);
    }
}

impl End {
    /// Without the states that interrupted write calls left, which a run without a kill has not.
    pub(super) fn without_undone(&self) -> Self {
        let mut end = self.clone();
        end.report.undone.clear();
        end
    }
}

impl Reference {
    /// The event that was due after the first `cut` records.
    fn next(&self, cut: usize) -> Option<&Record> {
        self.journal.records()[cut..].iter().find(|record| **record != Record::OtherNote)
    }

    /// The trees that a run may have left that was killed after its first `cut` records.
    ///
    /// The tree changes while a call is at work and while it is put back; then it may stand before,
    /// after, or between.
    pub(super) fn left_after(&self, cut: usize) -> Vec<Left> {
        let mut now = "start".to_owned();
        let mut snapped = BTreeMap::new();
        let mut at_work: BTreeSet<&str> = BTreeSet::new();
        for record in self.journal.first(cut) {
            match record {
                Record::Launched(call) => {
                    at_work.insert(call);
                }
                Record::Replied(call) => {
                    at_work.remove(call.as_str());
                    now = copy_after(call);
                }
                Record::Snapped(number) => {
                    snapped.insert(*number, now.clone());
                }
                Record::Restored(number) => now.clone_from(&snapped[number]),
                Record::Resumed => {
                    at_work.clear();
                    "interrupted".clone_into(&mut now);
                }
                _ => {}
            }
        }
        let whole = |copy: String| Left { copy, half: false };
        let mut left = vec![whole(now.clone())];
        for call in at_work {
            if is_fix(call) {
                left.push(Left { copy: now.clone(), half: true });
            }
            if is_fix(call) || call.contains("/seek/") {
                left.push(whole(copy_after(call)));
            }
        }
        if let Some(Record::Restored(number)) = self.next(cut) {
            left.push(whole(snapped[number].clone()));
        }
        left.dedup();
        left
    }
}

/// The copy of the tree as a call left it.
fn copy_after(call: &str) -> String {
    format!("tree.{}", call.replace('/', "."))
}

pub(super) fn is_fix(call: &str) -> bool {
    call.contains("/fix/")
}

impl Left {
    pub(super) fn half_way(copy: &str) -> Self {
        Self { copy: copy.to_owned(), half: true }
    }
}

fn remove(path: &Path) {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            panic!("{}: {error}", path.display())
        }
        _ => {}
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("listed").file_name().into_string().expect("a UTF-8 name"))
        .collect();
    names.sort();
    names
}

/// Locks of git, and our second names of them.
fn find_left(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("listed") {
        let path = entry.expect("listed").path();
        if path.is_dir() {
            find_left(&path, found);
        } else if path.extension().is_some_and(|end| end == "lock" || end == "index") {
            found.push(path);
        }
    }
}
