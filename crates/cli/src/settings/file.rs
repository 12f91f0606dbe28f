//! The text of a settings file: `tribunal.yaml` of a repository, `config.yaml` of the user.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use tribunal_phase::review_loop::MaxRounds;
use tribunal_recipe::{Problem, read_yaml};
use tribunal_runner::Linter;

/// What a settings file may say.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SettingsFile {
    /// Programs by the name that `--agent` uses.
    pub(crate) agents: BTreeMap<String, AgentSetting>,
    /// Who is asked where nothing else is said.
    pub(crate) agent: Option<String>,
    /// Agents by role, numbered validator or step.
    pub(crate) roles: BTreeMap<String, String>,
    /// Calls of the fixer in one cycle.
    pub(crate) fix_attempts: Option<Whole<1>>,
    /// Seconds for each cycle's own work; 0 for ever.
    pub(crate) cycle_timeout: Option<Whole<0>>,
    /// What fixes are checked with, for bash.
    pub(crate) check_command: Option<String>,
    /// Seconds that one run of it may take; 0 for ever.
    pub(crate) check_timeout: Option<Whole<0>>,
    /// Runs of it that `--prove` may cost.
    pub(crate) prove_limit: Option<Whole<0>>,
    /// What the embedded inspector goes by.
    pub(crate) inspector: InspectorSetting,
    /// What review loops are held to.
    #[serde(rename = "loop")]
    pub(crate) review_loop: LoopSetting,
}

/// What review loops are held to.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LoopSetting {
    /// Simplify passes.
    pub(crate) max_rounds: Option<MaxRounds>,
    /// Seconds that the test command may run.
    pub(crate) test_timeout: Option<Whole<1>>,
}

/// What the embedded inspector goes by; a list replaces that of a weaker file.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct InspectorSetting {
    /// Rules and categories that alone are looked for.
    pub(crate) only: Option<Vec<String>>,
    /// Rules and categories that are left out.
    pub(crate) skip: Option<Vec<String>>,
    /// External linters that may be run.
    pub(crate) linters: Option<Vec<Linter>>,
}

/// One agent in a settings file.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AgentSetting {
    /// Which known program it is; without it, the one of the setting's own name, else any program.
    pub(crate) agent: Option<String>,
    /// Program and arguments, as POSIX words; a known program need not be named.
    pub(crate) command: Option<String>,
    /// The model it is told to use.
    pub(crate) model: Option<String>,
    /// Seconds that one call may run.
    pub(crate) deadline: Option<Whole<1>>,
    /// Seconds that one call may say nothing.
    pub(crate) idle: Option<Whole<1>>,
    /// Variables that are passed on.
    pub(crate) env: Vec<String>,
}

impl SettingsFile {
    /// Reads the text of a settings file; a blank one sets nothing.
    ///
    /// # Errors
    /// The first fault, with its place in the text.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() { Ok(Self::default()) } else { read_yaml(text) }
    }
}

/// A whole number, not below `LEAST` and not beyond 32 bits, written as one: neither text, nor with a
/// leading zero, nor with a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole<const LEAST: u32>(pub(crate) u32);

impl<'de, const LEAST: u32> Deserialize<'de> for Whole<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor::<LEAST>)
    }
}

struct WholeVisitor<const LEAST: u32>;

impl<const LEAST: u32> Visitor<'_> for WholeVisitor<LEAST> {
    type Value = Whole<LEAST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST}, in decimal and without quotes")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        let whole = u32::try_from(number).ok().filter(|whole| *whole >= LEAST);
        whole.map(Whole).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let whole = u32::try_from(number).ok().filter(|whole| *whole >= LEAST);
        whole.map(Whole).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(text: &str, at: &str, said: &str) {
        let problem = SettingsFile::parse(text).expect_err(text);
        assert_eq!(problem.to_string(), said, "{text}");
        let span = problem.span.expect("a place");
        assert!(text[span.start..].starts_with(at), "{text}: {:?}", &text[span.start..]);
    }

    #[test]
    fn limits_are_whole_numbers_written_as_such() {
        let whole = |number: &str, least: u32| {
            format!(
                "expected a whole number from {least}, in decimal and without quotes, found {number}"
            )
        };
        for (written, said) in [
            ("0", whole("integer `0`", 1)),
            ("-1", whole("integer `-1`", 1)),
            ("4294967296", whole("integer `4294967296`", 1)),
            ("010", whole("string \"010\"", 1)),
            ("1_000", whole("string \"1_000\"", 1)),
            ("\"3\"", whole("string \"3\"", 1)),
            ("1.0", whole("floating point `1.0`", 1)),
            ("yes", whole("string \"yes\"", 1)),
            ("true", whole("boolean `true`", 1)),
        ] {
            let text = format!("# limits\nfix_attempts: {written}\n");
            check_refused(&text, "fix_attempts", &said);
        }
        check_refused("cycle_timeout: -1\n", "cycle_timeout", &whole("integer `-1`", 0));
        check_refused(
            "agents:\n  own: {command: x, deadline: 0}\n",
            "deadline",
            &whole("integer `0`", 1),
        );
    }

    #[test]
    fn what_is_no_settings_file_is_refused_with_its_place_and_what_to_write() {
        check_refused(
            "fix_atempts: 1\n",
            "fix_atempts",
            "unknown key `fix_atempts` (did you mean `fix_attempts`?)",
        );
        check_refused(
            "speed: 1\n",
            "speed",
            "unknown key `speed` (there are agents, agent, roles, fix_attempts, cycle_timeout, \
             check_command, check_timeout, prove_limit, inspector, loop)",
        );
        check_refused(
            "fix_attempts: 1\nfix_attempts: 2\n",
            "fix_attempts: 2",
            "duplicate key `fix_attempts` (keep one of them)",
        );
        check_refused(
            "inspector: {linters: [rufff]}\n",
            "rufff",
            "there is no `rufff` (did you mean `ruff`?)",
        );
        check_refused("inspector: {only: 3}\n", "3", "a list belongs here");
        check_refused("[]", "[]", "a map of keys belongs here");
        check_refused(
            "agents:\n\town: {command: x}\n",
            "o",
            "tabs disallowed within this context (block indentation) (indent with spaces, not with tabs)",
        );
        check_refused("fix_attempts: 1\n---\nfix_attempts: 2\n", "---", "more than one document");
    }

    #[test]
    fn a_settings_file_may_be_blank_and_have_any_line_ends() {
        for text in ["", " \n", "\u{feff}", "# nothing\n"] {
            assert_eq!(SettingsFile::parse(text), Ok(SettingsFile::default()), "{text:?}");
        }
        let expected = SettingsFile {
            fix_attempts: Some(Whole(1)),
            cycle_timeout: Some(Whole(0)),
            ..SettingsFile::default()
        };
        for line_end in ["\n", "\r\n"] {
            let text = format!("\u{feff}fix_attempts: 1{line_end}cycle_timeout: 0{line_end}");
            assert_eq!(SettingsFile::parse(&text), Ok(expected.clone()));
        }
    }
}
