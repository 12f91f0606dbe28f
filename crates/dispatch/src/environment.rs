//! What a child learns of its surroundings.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Variables that a child gets from our own environment, whoever it is (D41).
const PASSED_ON: [&str; 4] = ["PATH", "HOME", "LANG", "TERM"];

/// Marks that agents leave in the environment of their tools. A child that saw them would take
/// itself for a part of that session, so no profile can let them through (D42).
const SESSION_MARKS: [&str; 9] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "PI_CODING_AGENT",
];

/// Which call a child is, in the words its environment uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity<'a> {
    /// `TRIBUNAL_ROLE`.
    pub role: &'a str,
    /// `TRIBUNAL_STEP`.
    pub step: &'a str,
    /// `TRIBUNAL_CYCLE`.
    pub cycle: u32,
    /// `TRIBUNAL_RUN`.
    pub run: &'a str,
    /// `TRIBUNAL_CALL`: frame, step and turn with `/` between them.
    pub call: &'a str,
}

/// An environment built from an allow-list: what is not named here or by the caller is not there.
///
/// The marker is no part of it; it is added when the child is started.
#[derive(Debug, Clone)]
pub struct Environment {
    inherited: BTreeMap<OsString, OsString>,
    given: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// Takes our own environment, of which PATH, HOME, LANG and TERM are passed on.
    #[must_use]
    pub fn new(inherited: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self { inherited: inherited.into_iter().collect(), given: BTreeMap::new() }.allow(PASSED_ON)
    }

    /// Passes on variables of ours by name; one that we do not have stays unset.
    #[must_use]
    pub fn allow(mut self, names: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        for name in names {
            let name = name.as_ref();
            if SESSION_MARKS.iter().any(|mark| name == *mark) {
                continue;
            }
            if let Some(value) = self.inherited.get(name) {
                self.given.insert(name.to_owned(), value.clone());
            }
        }
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn set(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.given.insert(name.into(), value.into());
        self
    }

    /// Gives the whole environment of a child that is no call of a run, sorted by name.
    #[must_use]
    pub fn for_lone_child(&self, tmpdir: &Path) -> Vec<(OsString, OsString)> {
        let mut entries = self.given.clone();
        entries.insert("TMPDIR".into(), tmpdir.into());
        entries.insert("NO_COLOR".into(), "1".into());
        entries.into_iter().collect()
    }

    /// Gives the whole environment of one call, sorted by name.
    ///
    /// Who it is, `TMPDIR` and `NO_COLOR=1` stand, whatever was allowed or set before.
    #[must_use]
    pub fn for_child(&self, identity: &Identity<'_>, tmpdir: &Path) -> Vec<(OsString, OsString)> {
        let mut entries = self.given.clone();
        let cycle = identity.cycle.to_string();
        let own: [(&str, &OsStr); 7] = [
            ("TRIBUNAL_ROLE", identity.role.as_ref()),
            ("TRIBUNAL_STEP", identity.step.as_ref()),
            ("TRIBUNAL_CYCLE", cycle.as_ref()),
            ("TRIBUNAL_RUN", identity.run.as_ref()),
            ("TRIBUNAL_CALL", identity.call.as_ref()),
            ("TMPDIR", tmpdir.as_ref()),
            ("NO_COLOR", "1".as_ref()),
        ];
        entries.extend(own.map(|(name, value)| (name.into(), value.into())));
        entries.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(entries: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        entries.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    const VALIDATOR: Identity<'_> = Identity {
        role: "validator",
        step: "validate-agent-1",
        cycle: 2,
        run: "r1",
        call: "2/validate-agent-1/1",
    };

    #[test]
    fn a_child_learns_what_is_listed_and_nothing_else() {
        let inherited = ours(&[
            ("PATH", "/bin"),
            ("HOME", "/home/ada"),
            ("LANG", "C.UTF-8"),
            ("API_KEY", "secret"),
            ("OTHER_KEY", "secret"),
            ("CLAUDECODE", "1"),
            ("TRIBUNAL_ROLE", "outer"),
            ("TRIBUNAL_MARKER", "outer"),
        ]);
        let child = Environment::new(inherited)
            .allow(["API_KEY", "ABSENT", "CLAUDECODE", "TRIBUNAL_ROLE"])
            .set("DEPTH", "3")
            .set("NO_COLOR", "0")
            .for_child(&VALIDATOR, Path::new("/scratch"));
        let expected = ours(&[
            ("API_KEY", "secret"),
            ("DEPTH", "3"),
            ("HOME", "/home/ada"),
            ("LANG", "C.UTF-8"),
            ("NO_COLOR", "1"),
            ("PATH", "/bin"),
            ("TMPDIR", "/scratch"),
            ("TRIBUNAL_CALL", "2/validate-agent-1/1"),
            ("TRIBUNAL_CYCLE", "2"),
            ("TRIBUNAL_ROLE", "validator"),
            ("TRIBUNAL_RUN", "r1"),
            ("TRIBUNAL_STEP", "validate-agent-1"),
        ]);
        assert_eq!(child, expected);
    }
}
