//! The runner as a library: a program with a step of its own.

use std::path::PathBuf;

use tribunal_phase::Outcome;
use tribunal_recipe::{Datum, Fields};
use tribunal_runner::{
    AddedStep, AddedSteps, Agent, Agents, Ending, InspectorOptions, Options, RecipeText, RunError,
    RunRequest, StepError, Surroundings, run,
};
use tribunal_test_support::{Repo, Sandbox};

struct CountWords;

impl AddedStep for CountWords {
    fn run(&self, with: &Fields) -> Result<Datum, StepError> {
        match with.get("text").and_then(Datum::as_text) {
            Some(text) => {
                Ok(Datum::Int(i64::try_from(text.split_whitespace().count()).expect("few words")))
            }
            None => Err(StepError("`text` is no text".to_owned())),
        }
    }
}

fn play(steps: &str, sandbox: &Sandbox, repo: &Repo) -> Result<Ending, RunError> {
    let agent = Agent {
        name: "nobody".to_owned(),
        row: "command".to_owned(),
        words: vec!["true".to_owned()],
        model: None,
        deadline: None,
        idle: None,
        env: Vec::new(),
    };
    let request = RunRequest {
        recipe: RecipeText {
            name: "r".to_owned(),
            origin: "a test".to_owned(),
            text: format!("name: r\ncontext:\n  repo_path: .\nsteps:\n{steps}"),
            shadows: false,
        },
        given: Vec::new(),
        agents: Agents { everyone: agent, by_key: Vec::new() },
        agent_keys: Vec::new(),
        options: Options::default(),
        isolate: false,
        check: None,
        inspector: InspectorOptions::default(),
        added: AddedSteps::default().with("count-words", CountWords),
    };
    let surroundings = Surroundings {
        state_dir: sandbox.state().join("tribunal"),
        temp_dir: sandbox.tmp(),
        current_dir: PathBuf::from(repo.root()),
        environment: sandbox.environment(),
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(request, &surroundings, &mut |_| {}))
}

#[test]
fn a_step_of_the_program_computes_a_value_from_what_the_recipe_hands_over() {
    let (sandbox, repo) = (Sandbox::new(), Repo::new());
    repo.write("a", "x").commit_all("base");
    let steps = "  - {id: say, command: \"echo one two three\", access: read-only, output: said}\n  \
                 - {id: count, uses: count-words, with: {text: \"{{said}}\"}, output: words}\n";
    let ending = play(steps, &sandbox, &repo).expect("it runs");
    assert_eq!(ending.outcome, Outcome::Completed);
    assert_eq!(ending.value, Some(Datum::Int(3)));
}

#[test]
fn a_step_of_the_program_that_fails_ends_the_run() {
    let (sandbox, repo) = (Sandbox::new(), Repo::new());
    repo.write("a", "x").commit_all("base");
    let steps = "  - {id: count, uses: count-words, with: {text: 4}, output: words}\n";
    let ending = play(steps, &sandbox, &repo).expect("it runs");
    assert!(matches!(ending.outcome, Outcome::Failed { .. }), "{:?}", ending.outcome);
}
