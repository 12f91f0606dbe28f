//! Calls as file names.

use std::fmt::Write;

use tribunal_phase::CallId;
use tribunal_record::Hash;

/// File names end at 255 bytes on every usual system; what callers add needs room too.
const LONGEST: usize = 160;

/// A call as the name of one file: `1.fix.2`.
///
/// A step may carry any name its author gave it: all but letters, digits, `-` and `_` is written as
/// `%` and two hex digits, and a name that gets too long ends in its hash, so that different calls
/// never share a name and none is a path.
pub(crate) fn file_name(call: &CallId) -> String {
    let mut step = String::new();
    for byte in call.step.as_str().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => step.push(char::from(byte)),
            _ => write!(step, "%{byte:02x}").expect("writing to a String cannot fail"),
        }
    }
    if step.len() > LONGEST {
        let hash = Hash::of(step.as_bytes()).to_string();
        step.truncate(LONGEST - hash.len() - 1);
        step = format!("{step}~{hash}");
    }
    format!("{}.{step}.{}", call.frame, call.turn)
}

#[cfg(test)]
mod tests {
    use tribunal_phase::{FrameId, StepId};

    use super::*;

    fn check(step: &str, expected: &str) {
        let call = CallId { frame: FrameId(1), step: StepId::new(step), turn: 2 };
        assert_eq!(file_name(&call), expected);
    }

    #[test]
    fn a_step_never_makes_a_path() {
        check("fix", "1.fix.2");
        check("validate-agent_2", "1.validate-agent_2.2");
        check("../../etc/passwd", "1.%2e%2e%2f%2e%2e%2fetc%2fpasswd.2");
        check("ü\0", "1.%c3%bc%00.2");
        check("", "1..2");
    }

    #[test]
    fn long_steps_keep_names_of_their_own() {
        let name = |step: String| {
            file_name(&CallId { frame: FrameId(1), step: StepId::new(step), turn: 1 })
        };
        let one = name("x".repeat(5000));
        let other = name(format!("{}y", "x".repeat(4999)));
        assert_ne!(one, other);
        assert!(one.len() < 200 && other.len() < 200);
    }
}
