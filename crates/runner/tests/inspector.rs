//! What a program that stands in for the embedded inspector is told, call by call.

use std::fs;
use std::path::PathBuf;

use tribunal_phase::Outcome;
use tribunal_runner::{
    AddedSteps, Agent, Agents, InspectorOptions, Library, Linter, Options, RuleFile, RuleFolder,
    RunError, RunRequest, Surroundings, run,
};
use tribunal_test_support::{Repo, Sandbox};

/// Notes its arguments and the rules it is given, and answers as a role does that sees one fault.
const STAND_IN: &str = r#"
line="$*"
echo "$line" >> "$0.log"
echo "${RUSTUP_HOME-none}" >> "$0.rustup"
case "$line" in
*'rules list'*)
    [[ $line != *wrong* ]] || { echo 'no rule is called wrong' >&2; exit 2; } ;;
*'--role seeker'*)
    folder=${line#*--rules }
    cat "${folder%% *}/python/no-print.yml" >> "$0.rules"
    echo '{"findings": [{"id": "F1", "category": "reliability", "severity": "medium", "file": "a.py",
        "line": 1, "description": "d", "evidence": "print", "recommendation": "r"}]}' ;;
*'--role validator'*)
    echo '{"validated": [{"finding_id": "F1", "verdict": "confirmed"}]}' ;;
*) echo 'done' ;;
esac
"#;

struct Stage {
    sandbox: Sandbox,
    repo: Repo,
}

impl Stage {
    fn new() -> Self {
        let (sandbox, repo) = (Sandbox::new(), Repo::new());
        repo.write("a.py", "print(1)\n").commit_all("base");
        fs::write(sandbox.root().join("stand-in"), STAND_IN).expect("the sandbox can be written");
        Self { sandbox, repo }
    }

    fn audit(&self, inspector: InspectorOptions) -> Result<Outcome, RunError> {
        let script = self.sandbox.root().join("stand-in").display().to_string();
        let stand_in = Agent {
            name: "inspector".to_owned(),
            row: "inspector".to_owned(),
            words: vec!["bash".to_owned(), script],
            model: None,
            deadline: None,
            idle: None,
            env: Vec::new(),
        };
        let cycles = [("min_cycles", "2"), ("max_cycles", "2")];
        let request = RunRequest {
            recipe: Library::default().find("quality-audit-cycle").expect("built in"),
            given: cycles.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
            agents: Agents { everyone: stand_in, by_key: Vec::new() },
            agent_keys: Vec::new(),
            options: Options { no_fix: true, ..Options::default() },
            isolate: false,
            check: None,
            inspector,
            added: AddedSteps::default(),
        };
        let surroundings = Surroundings {
            state_dir: self.sandbox.state().join("tribunal"),
            temp_dir: self.sandbox.tmp(),
            current_dir: PathBuf::from(self.repo.root()),
            environment: [
                self.sandbox.environment(),
                vec![("RUSTUP_HOME".into(), "/rustup".into())],
            ]
            .concat(),
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Ok(runtime.block_on(run(request, &surroundings, &mut |_| {}))?.outcome)
    }

    fn noted(&self, ending: &str) -> String {
        fs::read_to_string(self.sandbox.root().join(format!("stand-in.{ending}")))
            .unwrap_or_default()
    }
}

fn options() -> InspectorOptions {
    let file = RuleFile {
        path: "python/no-print.yml".to_owned(),
        text: "id: no-print # as recorded\n".to_owned(),
    };
    InspectorOptions {
        only: vec!["reliability".to_owned()],
        skip: vec!["py-eval".to_owned(), "py-bare-except".to_owned()],
        linters: vec![Linter::Ruff, Linter::Shellcheck],
        // Nothing is there any more: what was recorded counts.
        rules: vec![RuleFolder { origin: "/gone".to_owned(), files: vec![file] }],
    }
}

/// The word behind a flag.
fn behind<'a>(line: &'a str, flag: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == flag)?;
    words.next()
}

#[test]
fn every_role_is_told_the_rules_and_the_seekers_share_a_cache() {
    let stage = Stage::new();
    assert_eq!(stage.audit(options()).expect("it runs"), Outcome::Completed);
    let log = stage.noted("log");
    let (asked, roles): (Vec<&str>, Vec<&str>) =
        log.lines().partition(|line| line.contains("inspector rules"));
    let choice = "--only reliability --skip py-eval --skip py-bare-except";
    assert_eq!(asked, [format!("inspector rules list --rules /gone {choice}")]);
    for line in &roles {
        assert!(line.contains(choice), "{line}");
        assert!(line.contains("--linter ruff --linter shellcheck"), "{line}");
        assert_eq!(behind(line, "--rules"), behind(roles[0], "--rules"), "{log}");
    }
    let is_seeker = |line: &&&str| behind(line, "--role") == Some("seeker");
    let caches: Vec<_> =
        roles.iter().filter(is_seeker).map(|line| behind(line, "--cache")).collect();
    assert_eq!(caches.len(), 2, "{log}");
    assert!(caches[0].is_some_and(|file| file.starts_with('/')), "{log}");
    assert_eq!(caches[0], caches[1]);
    assert!(roles.iter().filter(|line| !is_seeker(line)).all(|line| !line.contains("--cache")));
    let folder = behind(roles[0], "--rules").expect("there are rules");
    assert!(folder.starts_with(stage.sandbox.state().to_str().expect("UTF-8")), "{folder}");
    assert!(!PathBuf::from(folder).exists(), "private files go with the run");
    assert_eq!(stage.noted("rules"), "id: no-print # as recorded\n".repeat(2));
}

#[test]
fn variables_of_a_linter_are_passed_on_where_it_is_allowed() {
    for (linters, expected) in [(vec![], "none"), (vec![Linter::Ruff, Linter::Clippy], "/rustup")] {
        let stage = Stage::new();
        let inspector = InspectorOptions { linters, ..InspectorOptions::default() };
        assert_eq!(stage.audit(inspector).expect("it runs"), Outcome::Completed);
        let seen = stage.noted("rustup");
        assert!(seen.lines().all(|home| home == expected), "{seen}");
    }
}

#[test]
fn rules_that_the_inspector_refuses_stop_the_run_before_it_begins() {
    let stage = Stage::new();
    let error = stage.audit(InspectorOptions { only: vec!["wrong".to_owned()], ..options() });
    assert_eq!(error.expect_err("refused").to_string(), "no rule is called wrong");
    assert_eq!(stage.noted("log").lines().count(), 1, "no role was asked");
    assert!(!stage.sandbox.state().join("tribunal/runs").exists());
}
