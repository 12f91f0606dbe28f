//! One call from argv to exit status.

use std::ffi::OsString;
use std::io::{Read, Write};

use crate::args::{Invocation, Role};
use crate::fault::Fault;
use crate::fix::fix;
use crate::linter::Desk;
use crate::prompt::Prompt;
use crate::rules;
use crate::seek::seek;
use crate::summarize::summarize;
use crate::validate::validate;
use crate::wire::{self, AuditFindings, Reported, answer};

/// Plays one role of an audit and returns the exit status.
///
/// `args` are the words behind the program's (or subcommand's) name; of `environment`, an allow-list
/// goes on to linters that the arguments allow. The prompt is read from `stdin` to its end, the answer goes to `stdout` as one JSON object of the role's contract
/// (plain Markdown for the summarizer), remarks go to `stderr`. 0: answered; 1: the prompt or the
/// tree could not be read; 2: wrong arguments (D41).
pub fn main(
    args: impl Iterator<Item = OsString>,
    environment: Vec<(OsString, OsString)>,
    stdin: impl Read,
    stdout: &mut impl Write,
    stderr: &mut impl Write,
) -> u8 {
    match play(args, environment, stdin, stdout, stderr) {
        Ok(()) => 0,
        Err(fault) => {
            let cause = std::error::Error::source(&fault).map(|cause| format!(": {cause}"));
            // Nobody is left to be told when stderr itself is closed.
            let _ = writeln!(stderr, "inspector: {fault}{}", cause.as_deref().unwrap_or(""));
            fault.exit_status()
        }
    }
}

fn play(
    args: impl Iterator<Item = OsString>,
    environment: Vec<(OsString, OsString)>,
    mut stdin: impl Read,
    stdout: &mut impl Write,
    stderr: &mut impl Write,
) -> Result<(), Fault> {
    let mut args = args.peekable();
    if args.next_if(|word| word == "rules").is_some() {
        return rules::answer_to(args, stdout);
    }
    let call = Invocation::parse(args)?;
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let prompt = Prompt::new(&text, &call.marker);
    let mut notes = Vec::new();
    let desk = Desk::open(&call, environment)?;
    let desk = desk.as_ref();
    let reply = match call.role {
        Role::Seeker => answer(&seek(&call, desk, &mut notes)?)?,
        Role::Validator => {
            let mut asked = AuditFindings::read(prompt.needed("audit_findings")?)?;
            notes.append(&mut asked.notes);
            answer(&validate(&call, &asked, desk, &mut notes)?)?
        }
        Role::Fixer => answer(&fix(&call, &wanted(&prompt, &mut notes)?, desk)?)?,
        Role::Summarizer => {
            summarize(&prompt, &desk.map(Desk::absent).unwrap_or_default(), &mut notes)?
        }
    };
    for note in notes {
        writeln!(stderr, "inspector: {note}")?;
    }
    writeln!(stdout, "{}", reply.trim_end())?;
    stdout.flush()?;
    Ok(())
}

/// What the fixer is asked for: confirmed and carried findings that no earlier turn settled.
fn wanted(prompt: &Prompt, notes: &mut Vec<String>) -> Result<Vec<Reported>, Fault> {
    let mut asked = AuditFindings::read(prompt.needed("audit_findings")?)?;
    notes.append(&mut asked.notes);
    let confirmed = wire::confirmed(prompt.needed("validated_findings")?, notes)?;
    let settled = match prompt.block("fix_verification") {
        Some(json) if !json.is_empty() && json != "null" => wire::settled(json, notes)?,
        Some(_) | None => Vec::new(),
    };
    let findings = asked.findings.into_iter().filter(|finding| confirmed.contains(&finding.id));
    Ok(findings.chain(asked.carried).filter(|finding| !settled.contains(&finding.id)).collect())
}
