//! What the end of an agent means.

use tribunal_dispatch::Ended;
use tribunal_phase::{Contract, Fault, Heard, Role};
use tribunal_verdict::{Class, Wanted, extract};

use crate::native::extraction;

/// What an agent's end means: the class of its answer, or why it could not be heard (D42).
///
/// Success needs an answer. A validator that says nothing is EMPTY; anybody else who says nothing
/// has failed.
pub(crate) fn heard(role: Role, ended: Ended, bytes: &[u8]) -> Heard {
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
    match (role, extraction.class()) {
        (Role::Validator(_), class) => Heard::Said(class),
        (_, Class::Empty) => Heard::Fault(Fault::Blank),
        (_, class) => Heard::Said(class),
    }
}

/// How a call ended, in a few words.
pub(crate) fn how(heard: &Heard, contract: Option<Contract>) -> String {
    match (heard, contract) {
        (Heard::Fault(fault), _) => fault.to_string(),
        (Heard::Said(class), Some(_)) => class.to_string(),
        (Heard::Said(_), None) => "answered".to_owned(),
    }
}
