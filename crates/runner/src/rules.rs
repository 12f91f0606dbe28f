//! Asking the embedded inspector about its rules; no run and no audited tree is needed.

use std::ffi::OsString;
use std::path::PathBuf;

use tribunal_dispatch::{
    Cancel, Canceller, Ended, Environment, Invocation, Limits, Marker, Stdin, run_unspooled,
};
use tribunal_journal::StateDir;
use tribunal_phase::plan::Work;
use tribunal_report::inert_lines;

use crate::agents::Agent;
use crate::definition::Loaded;
use crate::error::RunError;
use crate::prepare::program;
use crate::signals::Signals;
use crate::surroundings::Surroundings;

/// What is asked about rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RulesQuestion {
    /// Which there are.
    List,
    /// What the rule of this id says.
    Show(String),
    /// Whether rules meet their examples: those of the folders, or the built-in ones without any.
    Test,
}

/// A question about rules, and the rules it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesRequest {
    /// The program that links the inspector.
    pub program: PathBuf,
    /// What is asked.
    pub question: RulesQuestion,
    /// Folders of rules besides the built-in ones; relative ones are taken from the current folder.
    pub folders: Vec<PathBuf>,
    /// Rules and categories that the question is about; all, when there are none.
    pub only: Vec<String>,
    /// Rules and categories that are left out.
    pub skip: Vec<String>,
    /// Whether the answer is for programs.
    pub json: bool,
}

/// What the inspector said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesAnswer {
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub end: AnswerEnd,
}

/// How an answer came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEnd {
    /// With this exit code: 0 holds, 1 does not, 2 the question is wrong.
    Exited(i32),
    /// We were asked to end by this signal, or it died of it.
    Signalled(i32),
}

/// Asks a question and passes on what is said.
///
/// # Errors
/// The program cannot be started.
pub async fn ask_rules(
    request: &RulesRequest,
    surroundings: &Surroundings,
) -> Result<RulesAnswer, RunError> {
    let mut signals = Signals::new()?;
    let (canceller, cancel) = Canceller::new();
    let answer = answer(request, &[], surroundings, cancel);
    tokio::pin!(answer);
    let mut signal = None;
    loop {
        tokio::select! {
            answer = &mut answer => {
                let mut answer = answer?;
                if let Some(signal) = signal {
                    answer.end = AnswerEnd::Signalled(signal);
                }
                return Ok(answer);
            }
            number = signals.next() => {
                signal.get_or_insert(number);
                canceller.cancel();
            }
        }
    }
}

/// Before a run begins: the rules of users can be read, and every rule that is named exists.
pub(crate) async fn check_rules(
    loaded: &Loaded,
    surroundings: &Surroundings,
) -> Result<(), RunError> {
    let options = &loaded.definition.inspector;
    let Some(agent) = inspector(loaded) else { return Ok(()) };
    let Some(program) = program(loaded, agent) else { return Ok(()) };
    if options.only.is_empty() && options.skip.is_empty() && options.rules.is_empty() {
        return Ok(());
    }
    let request = RulesRequest {
        program: program.into(),
        question: RulesQuestion::List,
        folders: options.rules.iter().map(|folder| PathBuf::from(&folder.origin)).collect(),
        only: options.only.clone(),
        skip: options.skip.clone(),
        json: false,
    };
    let answer = answer(&request, &agent.words[1..], surroundings, Cancel::never()).await?;
    match answer.end {
        AnswerEnd::Exited(0) => Ok(()),
        AnswerEnd::Exited(_) | AnswerEnd::Signalled(_) => {
            Err(RunError::Rules(inert_lines(&String::from_utf8_lossy(&answer.stderr))))
        }
    }
}

/// The embedded inspector, if the plan asks it anything.
fn inspector(loaded: &Loaded) -> Option<&Agent> {
    loaded.plan.steps().find_map(|step| {
        let Work::Ask { role, .. } = step.work else { return None };
        let agent = loaded.definition.agents.for_call(&step.id, role);
        agent.is_inspector().then_some(agent)
    })
}

async fn answer(
    request: &RulesRequest,
    given: &[String],
    surroundings: &Surroundings,
    cancel: Cancel,
) -> Result<RulesAnswer, RunError> {
    let invocation = Invocation {
        program: request.program.clone().into(),
        args: given.iter().map(OsString::from).chain(words(request, surroundings)).collect(),
        env: Environment::new(surroundings.environment.clone())
            .for_lone_child(&surroundings.temp_dir),
        cwd: surroundings.current_dir.clone(),
        stdin: Stdin::Null,
        limits: Limits { stdout_cap: u64::MAX, ..Limits::default() },
        marker: Marker::of_run(StateDir::new_id().as_str()),
    };
    let reply = run_unspooled(&invocation, cancel)
        .await
        .map_err(|error| RunError::Inspector(error.to_string()))?;
    let end = match reply.ended {
        Ended::Exited(code) => AnswerEnd::Exited(code),
        Ended::Signalled(signal) => AnswerEnd::Signalled(signal),
        // Without a limit of time, only we end it.
        Ended::Deadline | Ended::Idle | Ended::Cancelled => AnswerEnd::Signalled(TERM),
    };
    Ok(RulesAnswer { stdout: reply.stdout.bytes, stderr: reply.stderr, end })
}

const TERM: i32 = 15;

fn words(request: &RulesRequest, surroundings: &Surroundings) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["inspector".into(), "rules".into()];
    match &request.question {
        RulesQuestion::List => words.push("list".into()),
        RulesQuestion::Show(id) => words.extend(["show".into(), id.into()]),
        RulesQuestion::Test => words.push("test".into()),
    }
    for folder in &request.folders {
        words.extend(["--rules".into(), surroundings.current_dir.join(folder).into()]);
    }
    for (flag, chosen) in [("--only", &request.only), ("--skip", &request.skip)] {
        words.extend(chosen.iter().flat_map(|word| [flag.into(), word.into()]));
    }
    if request.json {
        words.push("--json".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_words_that_the_inspector_reads() {
        let surroundings = Surroundings {
            state_dir: "/s".into(),
            temp_dir: "/t".into(),
            current_dir: "/here".into(),
            environment: Vec::new(),
        };
        let check = |question: RulesQuestion, json: bool, folders: &[&str], expected: &str| {
            let request = RulesRequest {
                program: "tribunal".into(),
                question,
                folders: folders.iter().map(PathBuf::from).collect(),
                only: vec!["security".to_owned()],
                skip: vec!["py-eval".to_owned(), "js-eval".to_owned()],
                json,
            };
            assert_eq!(words(&request, &surroundings).join(" ".as_ref()), expected);
        };
        let choice = "--only security --skip py-eval --skip js-eval";
        check(RulesQuestion::List, false, &[], &format!("inspector rules list {choice}"));
        let show = format!("inspector rules show py-eval --rules /here/own {choice} --json");
        check(RulesQuestion::Show("py-eval".to_owned()), true, &["own"], &show);
        let test = format!("inspector rules test --rules /a --rules /here/b {choice}");
        check(RulesQuestion::Test, false, &["/a", "b"], &test);
    }
}
