//! A repository with planted faults, the scenario that knows them, and what a run leaves behind.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tribunal_test_support::{
    Cue, Fault, Moment, Outcome, Program, Repo, Sandbox, Scenario, Stamp, stamps,
};

/// Everything a test of the whole program stands on.
pub(crate) struct Stage {
    pub(crate) sandbox: Sandbox,
    pub(crate) repo: Repo,
    scenario: Scenario,
}

/// Variables that make the first cycle the last, whatever it finds.
pub(crate) const ONE_CYCLE: [&str; 4] = ["-c", "min_cycles=1", "-c", "max_cycles=1"];

/// The folder that the audit's results go to.
pub(crate) const OUTPUT: &str = "eval_results";

/// A fault of medium severity: no reason for another cycle by itself.
pub(crate) fn medium(id: &str, file: &str, find: &str, replace: &str) -> Fault {
    Fault::new(id, file, find, replace).severity("medium")
}

/// The one fault that most tests need.
pub(crate) fn swallowed() -> Fault {
    medium("F1", "src/cart.py", "except: pass", "except KeyError: raise")
}

/// A second one, in another file.
pub(crate) fn endless() -> Fault {
    medium("F2", "src/pay.py", "retry(inf)", "retry(3)")
}

impl Stage {
    /// Plants the faults in a fresh repository and commits them.
    pub(crate) fn new(faults: impl IntoIterator<Item = Fault>) -> Self {
        let stage = Self::uncommitted(faults);
        stage.repo.commit_all("faults are planted");
        stage
    }

    /// The same, but HEAD has no commit yet.
    pub(crate) fn uncommitted(faults: impl IntoIterator<Item = Fault>) -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.repo("shop");
        let scenario = Scenario::new().log(sandbox.log());
        let scenario = faults.into_iter().fold(scenario, Scenario::fault);
        repo.write("README.md", "A shop.\n").write("src/cart.py", "def total():\n    try: add()\n");
        scenario.plant(&repo);
        Self { sandbox, repo, scenario }
    }

    /// A repository with some of everything in it, and work of the user's under way.
    pub(crate) fn lived_in() -> Self {
        let stage = Self::new([swallowed()]);
        let repo = &stage.repo;
        repo.write("run.sh", "#!/bin/sh\n").write("docs/deep/x.md", "x\n").write("gone.txt", "g\n");
        fs::set_permissions(repo.path("run.sh"), Permissions::from_mode(0o755)).expect("ours");
        symlink("docs/deep", repo.path("link")).expect("nothing stands there");
        repo.write(".gitignore", "*.log\n");
        repo.commit_all("some of everything");
        repo.write("staged.txt", "staged\n").git(&["add", "staged.txt"]);
        repo.append("staged.txt", "and more\n").append("README.md", "mine\n").remove("gone.txt");
        repo.write("notes.txt", "untracked\n").write("debug.log", "ignored\n");
        fs::set_permissions(repo.path("notes.txt"), Permissions::from_mode(0o600)).expect("ours");
        stage
    }

    /// One cycle in which the fixer runs a bash script before its honest work.
    #[track_caller]
    pub(crate) fn with_fixer(&self, script: &str) {
        let script = format!("if [ \"$TRIBUNAL_ROLE\" = fixer ]; then {script}; fi");
        let command = self.agent_after(&script);
        let audit = self.tribunal(&["audit", ".", "--agent-command", &command]).args(&ONE_CYCLE);
        audit.run().expect_code(0);
    }

    /// Has some calls act otherwise than honestly; cues added earlier win.
    pub(crate) fn cue(mut self, cue: Cue) -> Self {
        self.scenario = self.scenario.cue(cue);
        self
    }

    /// `tribunal audit .` in the repository, with the scripted agent in all roles.
    pub(crate) fn audit(&self, arguments: &[&str]) -> Program {
        self.audit_of(".", arguments)
    }

    /// The same for a path.
    pub(crate) fn audit_of(&self, path: &str, arguments: &[&str]) -> Program {
        self.with_agent(&["audit", path], arguments)
    }

    /// One cycle of it, run to its end.
    #[track_caller]
    pub(crate) fn one_cycle(&self) -> Outcome {
        self.audit(&ONE_CYCLE).run()
    }

    /// Any command that asks agents, with the scripted agent in all roles.
    pub(crate) fn with_agent(&self, command: &[&str], arguments: &[&str]) -> Program {
        self.tribunal(command).arg("--agent-command").arg(self.own_agent_command()).args(arguments)
    }

    /// The command line of the scripted agent with this stage's scenario.
    pub(crate) fn own_agent_command(&self) -> String {
        self.sandbox.agent_command(&self.scenario)
    }

    /// The file that the first agent command of this stage plays.
    pub(crate) fn scenario_file(&self) -> String {
        let file = self.sandbox.root().join("scenario-1.json");
        file.to_str().expect("temporary folders have UTF-8 names").to_owned()
    }

    /// Has the agents of the first command work honestly from now on, also those of a run under way.
    pub(crate) fn make_everybody_honest(&self) {
        let honest = Scenario { acts: Vec::new(), ..self.scenario.clone() };
        honest.store(Path::new(&self.scenario_file()));
    }

    /// `tribunal` in the repository.
    pub(crate) fn tribunal(&self, arguments: &[&str]) -> Program {
        self.sandbox.tribunal(arguments).dir(self.repo.root())
    }

    /// The command line of an agent that runs a bash script before it plays its part.
    pub(crate) fn agent_after(&self, script: &str) -> String {
        let file = self.sandbox.root().join("agent.sh");
        let text = format!("{script}\nexec {}\n", self.own_agent_command());
        fs::write(&file, text).expect("the sandbox can be written");
        format!("bash '{}'", file.display())
    }

    /// What agents logged.
    pub(crate) fn stamps(&self) -> Vec<Stamp> {
        stamps(&self.sandbox.log())
    }

    /// The calls that were started, in order: `cycle/step/turn`.
    pub(crate) fn calls(&self) -> Vec<String> {
        let starts = self.stamps().into_iter().filter(|stamp| stamp.event == Moment::Start);
        starts.map(|stamp| stamp.call).collect()
    }

    /// How often a step was started in all cycles.
    pub(crate) fn times_asked(&self, step: &str) -> usize {
        let is_start = |stamp: &&Stamp| stamp.step == step && stamp.event == Moment::Start;
        self.stamps().iter().filter(is_start).count()
    }

    /// The folder of the only run.
    #[track_caller]
    pub(crate) fn run_folder(&self) -> PathBuf {
        let runs = self.run_folders();
        assert_eq!(runs.len(), 1, "one run is on record: {runs:?}");
        runs.into_iter().next().expect("it was just counted")
    }

    /// The folders of all runs.
    pub(crate) fn run_folders(&self) -> Vec<PathBuf> {
        let runs = self.sandbox.state().join("tribunal/runs");
        let Ok(entries) = fs::read_dir(runs) else { return Vec::new() };
        entries.map(|entry| entry.expect("an entry of the state folder").path()).collect()
    }

    /// The id of the only run.
    #[track_caller]
    pub(crate) fn run_id(&self) -> String {
        let folder = self.run_folder();
        let name = folder.file_name().and_then(|name| name.to_str());
        name.expect("a run's folder is called by its id").to_owned()
    }

    /// The bodies of the records, in order.
    #[track_caller]
    pub(crate) fn records(&self) -> Vec<Value> {
        let path = self.run_folder().join("journal.jsonl");
        let text = fs::read_to_string(path).expect("a run has a journal");
        let records = text.lines().skip(1).map(|line| json(line)["body"].clone());
        records.collect()
    }

    /// The events of a kind, in order, each with its place among all records.
    #[track_caller]
    pub(crate) fn events(&self, kind: &str) -> Vec<(usize, Value)> {
        let records = self.records().into_iter().enumerate();
        let of_kind = records.filter_map(|(place, body)| {
            let event = body["event"]["what"].get(kind)?.clone();
            Some((place, event))
        });
        of_kind.collect()
    }

    /// The prompt that a call was given.
    #[track_caller]
    pub(crate) fn prompt(&self, call: &str) -> String {
        let launched = self.events("launched");
        let event = launched.iter().find(|(_, event)| event["call"] == call);
        let (_, event) = event.unwrap_or_else(|| panic!("{call} was launched: {launched:?}"));
        let id = event["prompt"].as_str().expect("an artifact has an id");
        fs::read_to_string(self.run_folder().join("artifacts").join(id)).expect("it is kept")
    }

    /// The data that a prompt hands over under a name.
    #[track_caller]
    pub(crate) fn block(&self, call: &str, name: &str) -> String {
        let prompt = self.prompt(call);
        let start = prompt.lines().position(|line| {
            line.strip_prefix("<<")
                .and_then(|rest| rest.split_once(' '))
                .is_some_and(|(_, n)| n == name)
        });
        let start = start.unwrap_or_else(|| panic!("{call} is given {name}:\n{prompt}"));
        let lines = prompt.lines().skip(start + 1).take_while(|line| !line.ends_with(">>"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// `findings.json` of the usual output folder.
    #[track_caller]
    pub(crate) fn findings(&self) -> Value {
        json(&self.repo.read("eval_results/quality_audit/findings.json"))
    }

    /// What became of each finding, by id.
    #[track_caller]
    pub(crate) fn fates(&self) -> Vec<(String, String)> {
        let report = self.findings();
        let word = |value: &Value| value.as_str().expect("a word").to_owned();
        let findings = report["findings"].as_array().expect("a list").iter();
        findings.map(|one| (word(&one["id"]), word(&one["fate"]["kind"]))).collect()
    }

    /// What `git status` shows apart from the output folder, a path each.
    pub(crate) fn changed(&self) -> Vec<String> {
        let status = self.repo.status();
        let lines = status.lines().filter(|line| !line.contains("eval_results/"));
        lines.map(str::to_owned).collect()
    }
}

/// All that an undo must bring back: files, the index's bytes, HEAD and its branch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Before {
    pub(crate) files: Vec<String>,
    pub(crate) index: Option<Vec<u8>>,
    pub(crate) head: String,
    pub(crate) commit: String,
}

impl Before {
    pub(crate) fn of(stage: &Stage) -> Self {
        Self {
            files: stage.repo.picture(OUTPUT),
            index: fs::read(stage.repo.path(".git/index")).ok(),
            head: stage.repo.read(".git/HEAD"),
            commit: stage.repo.git_outcome(&["rev-parse", "HEAD"]).stdout,
        }
    }
}

/// Reads JSON.
#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The permission bits of a path.
pub(crate) fn mode(path: &Path) -> u32 {
    let found = fs::symlink_metadata(path);
    found.unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode()
        & 0o7777
}

/// Requires a text to hold a part.
#[track_caller]
pub(crate) fn holds(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` stands in\n{text}");
}

/// Requires a text not to hold a part.
#[track_caller]
pub(crate) fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "`{part}` does not stand in\n{text}");
}
