//! What the end of an agent means.

use tribunal_dispatch::{AnswerPlace, Ended};
use tribunal_phase::{Contract, Fault, Heard, Role};
use tribunal_verdict::{Class, Note, Wanted, extract};

use crate::native::extraction;

/// What an agent's end means: the class of its answer, or why it could not be heard (D42).
///
/// Success needs an answer, and the closing event where the agent has one. A validator that says
/// nothing is EMPTY; anybody else who says nothing has failed.
pub(crate) fn heard(role: Role, place: AnswerPlace, ended: Ended, bytes: &[u8]) -> Heard {
    match ended {
        Ended::Exited(0) => {}
        Ended::Exited(code) => return Heard::Fault(Fault::Exit(code)),
        Ended::Signalled(signal) => return Heard::Fault(Fault::Signal(signal)),
        Ended::Deadline => return Heard::Fault(Fault::Deadline),
        Ended::Idle => return Heard::Fault(Fault::Idle),
        // A cancelled call is open, not answered: nobody asks what it means.
        Ended::Cancelled => return Heard::Fault(Fault::Signal(15)),
    }
    let extraction = match role.contract() {
        Some(contract) => extraction(contract, bytes),
        None => extract(bytes, &Wanted::any_entry("")),
    };
    if extraction.agent_error().is_some() {
        return Heard::Fault(Fault::AgentError);
    }
    if place == AnswerPlace::Envelope && !is_closed(&extraction.notes) {
        return Heard::Fault(Fault::Unfinished);
    }
    match (role, extraction.class()) {
        (Role::Validator(_), class) => Heard::Said(class),
        (_, Class::Empty) => Heard::Fault(Fault::Blank),
        (_, class) => Heard::Said(class),
    }
}

/// Whether the answer came in an envelope to its end.
fn is_closed(notes: &[Note]) -> bool {
    let is_envelope = notes.iter().any(|note| matches!(note, Note::Envelope(_)));
    is_envelope && !notes.contains(&Note::Unfinished)
}

/// How a call ended, in a few words.
pub(crate) fn how(heard: &Heard, contract: Option<Contract>) -> String {
    match (heard, contract) {
        (Heard::Fault(fault), _) => fault.to_string(),
        (Heard::Said(class), Some(_)) => class.to_string(),
        (Heard::Said(_), None) => "answered".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINDINGS: &str = r#"{"findings":[]}"#;
    const FAILED: &str = r#"{"type":"result","is_error":true,"result":"quota used up"}"#;

    fn check(role: Role, ended: Ended, said: &str, expected: &Heard) {
        let heard = heard(role, AnswerPlace::Stdout, ended, said.as_bytes());
        assert_eq!(heard, *expected, "{role} {ended:?} {said:?}");
    }

    /// D41: exit 0 is no success without the closing event, where the agent has one.
    #[test]
    fn an_envelope_must_be_closed_where_the_agent_closes_its_own() {
        const START: &str = r#"{"type":"thread.started","thread_id":"t"}"#;
        const SAID: &str = r#"{"type":"item.completed","item":{"type":"agent_message","text":"{\"findings\":[]}"}}"#;
        const END: &str = r#"{"type":"turn.completed","usage":{}}"#;
        let check = |role, said: &[&str], expected: &Heard| {
            let said = said.join("\n");
            let heard = heard(role, AnswerPlace::Envelope, Ended::Exited(0), said.as_bytes());
            assert_eq!(heard, *expected, "{role} {said}");
        };
        let unfinished = Heard::Fault(Fault::Unfinished);
        check(Role::Seeker, &[START, SAID, END], &Heard::Said(Class::Parsed));
        check(Role::Seeker, &[START, SAID], &unfinished);
        check(Role::Validator(1), &[START, SAID], &unfinished);
        check(Role::Seeker, &[FINDINGS], &unfinished);
        check(Role::Summarizer, &["All is well."], &unfinished);
        check(Role::Validator(1), &[""], &unfinished);
        check(Role::Validator(1), &[START, END], &Heard::Said(Class::Empty));
        check(Role::Seeker, &[START], &Heard::Fault(Fault::AgentError));
    }

    /// D42: success needs an exit of 0 and an answer; only a validator may say nothing.
    #[test]
    fn an_end_is_an_answer_or_a_named_fault() {
        use Class::{Empty, Parsed, Unparseable};
        use Heard::{Fault as Faulted, Said};
        let ok = Ended::Exited(0);
        let validator = Role::Validator(2);
        check(Role::Seeker, ok, FINDINGS, &Said(Parsed));
        check(Role::Seeker, ok, "no JSON here", &Said(Unparseable));
        check(Role::Seeker, ok, " \n", &Faulted(Fault::Blank));
        check(Role::Seeker, ok, FAILED, &Faulted(Fault::AgentError));
        check(Role::Fixer, ok, "", &Faulted(Fault::Blank));
        check(Role::Summarizer, ok, "All is well.", &Said(Unparseable));
        check(Role::Summarizer, ok, "", &Faulted(Fault::Blank));
        check(validator, ok, "\u{feff}\r\n", &Said(Empty));
        check(validator, ok, "prose", &Said(Unparseable));
        check(validator, ok, FAILED, &Faulted(Fault::AgentError));
        for role in [Role::Seeker, validator, Role::Fixer, Role::Summarizer] {
            check(role, Ended::Exited(1), FINDINGS, &Faulted(Fault::Exit(1)));
            check(role, Ended::Signalled(11), FINDINGS, &Faulted(Fault::Signal(11)));
            check(role, Ended::Deadline, FINDINGS, &Faulted(Fault::Deadline));
            check(role, Ended::Idle, FINDINGS, &Faulted(Fault::Idle));
        }
    }
}
