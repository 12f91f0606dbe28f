//! `tribunal rules list|show|test`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tribunal_report::inert_lines;
use tribunal_runner::{AnswerEnd, RulesAnswer, RulesQuestion, RulesRequest, ask_rules};

use crate::args::{RuleChoice, RulesCommand};
use crate::command::recipe::settings;
use crate::command::running::runtime;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};
use crate::inspector::tell_untrusted_rules;

pub(crate) fn run(front: &Front, command: RulesCommand) -> Result<ExitStatus, Failure> {
    let (question, dir, choice) = match command {
        RulesCommand::List { dir, choice } => (RulesQuestion::List, dir, choice),
        RulesCommand::Show { id, dir } => (RulesQuestion::Show(id), dir, RuleChoice::default()),
        RulesCommand::Test { dir, choice } => (RulesQuestion::Test, dir, choice),
    };
    if let Some(dir) = dir.as_deref().filter(|dir| !dir.is_dir()) {
        return Err(Failure::usage(format!("--dir {}: is no folder", dir.display())));
    }
    let mut folders = match question {
        RulesQuestion::List | RulesQuestion::Show(_) => own_folders(front)?,
        RulesQuestion::Test => Vec::new(),
    };
    // A rule that came twice would be an error.
    folders.extend(dir.filter(|dir| !folders.iter().any(|known| is_same(known, dir))));
    let request = RulesRequest {
        program: front.places.program.clone(),
        question,
        folders,
        only: choice.only,
        skip: choice.skip,
        json: front.json,
    };
    let answer = runtime()?.block_on(ask_rules(&request, &front.places.surroundings()))?;
    pass_on(front, &answer)
}

/// The folders of rules that an audit here would use.
fn own_folders(front: &Front) -> Result<Vec<PathBuf>, Failure> {
    let settings = settings(front, ".")?;
    tell_untrusted_rules(&settings);
    Ok(settings.rules)
}

fn is_same(known: &Path, dir: &Path) -> bool {
    matches!((known.canonicalize(), dir.canonicalize()), (Ok(known), Ok(dir)) if known == dir)
}

fn pass_on(front: &Front, answer: &RulesAnswer) -> Result<ExitStatus, Failure> {
    let remarks = inert_lines(&String::from_utf8_lossy(&answer.stderr));
    if !remarks.is_empty() {
        // A closed standard error takes them away, never the answer.
        let _ = writeln!(anstream::stderr(), "{remarks}");
    }
    let said = String::from_utf8_lossy(&answer.stdout);
    print(&if front.json { said.into_owned() } else { inert_lines(&said) })?;
    Ok(match answer.end {
        AnswerEnd::Exited(0) => ExitStatus::Holds,
        AnswerEnd::Exited(1) => ExitStatus::Failed,
        AnswerEnd::Exited(2) => ExitStatus::Usage,
        AnswerEnd::Exited(_) => ExitStatus::Environment,
        AnswerEnd::Signalled(signal) => ExitStatus::Signal(u8::try_from(signal).unwrap_or(0)),
    })
}
