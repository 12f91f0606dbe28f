//! How an answer is said.

use std::io::{self, Write};

use tribunal_test_support::Role;

use crate::call::Call;
use crate::plan::Form;

/// The text that a call prints for an answer.
pub(crate) fn said(form: &Form, call: &Call, answer: &str) -> String {
    match form {
        Form::Bare => format!("{answer}\n"),
        Form::Prose => format!(
            "I looked at `fn main() {{ run() }}` and its callers first.\n\n{answer}\n\n\
             Sets such as {{a, b}} were left alone. That is all I have.\n"
        ),
        Form::Fenced => format!("Here is my answer:\n\n```json\n{answer}\n```\n"),
        Form::LogsFirst => format!(
            "{{\"level\":\"info\",\"msg\":\"session started\"}}\n\
             {{\"level\":\"info\",\"msg\":\"answering\"}}\n{answer}\n"
        ),
        Form::Silent => String::new(),
        Form::Garbage => "The code looks fine to me, more or less. {see above\n".to_owned(),
        Form::NoBallot => "{\"status\":\"done\",\"notes\":[]}\n".to_owned(),
        Form::TemplateEcho => format!("{}\n", template(call.role)),
        Form::Text(text) => text.clone(),
    }
}

fn template(role: Role) -> &'static str {
    match role {
        Role::Seeker => {
            r#"{"cycle": <n>, "findings": [{"id": "<id>", "severity": "low|medium|high|critical"}]}"#
        }
        Role::Validator => {
            r#"{"validated": [{"finding_id": "<id>", "verdict": "confirmed|false_positive|downgraded"}]}"#
        }
        Role::Fixer => r#"{"fixes_applied": [{"finding_id": "<id>", "file": "<path>"}]}"#,
        Role::Diagnostician
        | Role::Worker
        | Role::Quality
        | Role::Evaluator
        | Role::Investigator
        | Role::Summarizer => "<your answer>",
    }
}

/// Writes filler lines to both streams in turn, so that a reader of one alone gets stuck.
pub(crate) fn flood(bytes: u64, out: &mut impl Write, err: &mut impl Write) -> io::Result<()> {
    const LINE: &[u8] = b"filler without meaning, as a tool prints it by the megabyte: 012345\n";
    let mut left = bytes;
    while left > 0 {
        let part = usize::try_from(left).map_or(LINE.len(), |left| left.min(LINE.len()));
        out.write_all(&LINE[..part])?;
        err.write_all(&LINE[..part])?;
        left -= part as u64;
    }
    Ok(())
}
