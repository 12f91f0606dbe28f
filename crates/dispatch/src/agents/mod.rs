//! Agent command lines as data: one row per program that Tribunal knows how to ask.

mod asking;
mod table;

use std::ffi::OsString;

pub use asking::{Asking, RuleChoice};
pub use table::AGENTS;

/// How one agent is asked, and where its answer is; data, never code of its own.
///
/// The prompt goes in on standard input, which is then closed; never as an argument (D42).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentRow {
    /// The name that `--agent KEY=NAME` uses.
    pub name: &'static str,
    /// The program, looked for in `PATH`, where the caller names none; `None`: the caller must.
    pub program: Option<&'static str>,
    /// What stands behind the program.
    pub arguments: &'static [Argument],
    /// Where its final text is.
    pub answer: AnswerPlace,
    /// Variables of ours that it gets, because its keys and settings are in them (D41).
    pub passes: &'static [&'static str],
    /// Variables that are set for it.
    pub sets: &'static [(When, &'static str, &'static str)],
}

/// Arguments of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// These words.
    Words(When, &'static [&'static str]),
    /// This flag before each word that the call says for the slot: not at all when it says nothing.
    Flag(&'static str, Slot),
    /// The arguments that the caller gives.
    Given,
}

/// In which calls a part of a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In every call.
    Always,
    /// In one that may only read.
    Reading,
    /// In one that may write.
    Writing,
}

/// What a call can say in an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The mark around data blocks in the prompt.
    DataMark,
    /// The role.
    Role,
    /// Which validator it is, from 1.
    Validator,
    /// The cycle, from 1.
    Cycle,
    /// The model.
    Model,
    /// What is audited, relative to the working directory.
    Target,
    /// Where results are written: no part of what is audited.
    OutputDir,
    /// The line count above which a module is reported.
    ModuleLocLimit,
    /// Folders of rules that are no part of the agent.
    Rules,
    /// Rules and categories that alone are looked for.
    Only,
    /// Rules and categories that are left out.
    Skip,
    /// External linters that may be run.
    Linters,
    /// Where what was learned of unchanged files is kept between calls.
    Cache,
}

/// Where the final text comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerPlace {
    /// All of standard output, in an envelope or without one.
    Stdout,
    /// In an envelope on standard output whose closing event must be there: exit 0 alone is no success
    /// (D41).
    Envelope,
}

/// A name that no row has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no agent ({names})", names = AGENTS.iter().map(|row| row.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownAgent(pub String);

/// Finds the row of an agent.
///
/// # Errors
///
/// When there is none; the message lists the names there are.
pub fn agent(name: &str) -> Result<&'static AgentRow, UnknownAgent> {
    AGENTS.iter().find(|row| row.name == name).ok_or_else(|| UnknownAgent(name.to_owned()))
}

impl When {
    fn holds(self, may_write: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Reading => !may_write,
            Self::Writing => may_write,
        }
    }
}

impl AgentRow {
    /// The arguments of one call, the caller's own where the row has a place for them.
    #[must_use]
    pub fn arguments(&self, given: &[OsString], asking: &Asking<'_>) -> Vec<OsString> {
        let mut words = Vec::new();
        for argument in self.arguments {
            match *argument {
                Argument::Words(when, row) if when.holds(asking.may_write) => {
                    words.extend(row.iter().map(OsString::from));
                }
                Argument::Words(..) => {}
                Argument::Flag(flag, slot) => {
                    for value in asking.words(slot) {
                        words.extend([flag.into(), value]);
                    }
                }
                Argument::Given => words.extend_from_slice(given),
            }
        }
        words
    }

    /// The variables that are set for one call.
    pub fn variables(&self, may_write: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
        let holding = self.sets.iter().filter(move |(when, ..)| when.holds(may_write));
        holding.map(|(_, name, value)| (*name, *value))
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    const SEEKER: Asking<'_> = Asking {
        data_mark: "Q7",
        role: "seeker",
        validator: None,
        may_write: false,
        cycle: 2,
        model: None,
        target: "src",
        output_dir: None,
        module_loc_limit: 300,
        rules: RuleChoice { folders: &[], only: &[], skip: &[], linters: &[], cache: None },
    };
    const FIXER: Asking<'_> =
        Asking { role: "fixer", may_write: true, model: Some("m1"), ..SEEKER };

    fn check(name: &str, given: &[&str], asking: &Asking<'_>, expected: &str) {
        let given: Vec<OsString> = given.iter().map(Into::into).collect();
        let words = agent(name).expect("a row").arguments(&given, asking);
        assert_eq!(words.join(" ".as_ref()), expected, "{name}");
    }

    #[test]
    fn a_row_adds_its_arguments_to_the_callers() {
        check("command", &["--print", "-x"], &SEEKER, "--print -x");
        let seek =
            "inspector --marker Q7 --role seeker --cycle 2 --target src --module-loc-limit 300";
        check("inspector", &[], &SEEKER, seek);
        let validator =
            Asking { role: "validator", validator: Some(3), output_dir: Some("./out"), ..SEEKER };
        let vote = "inspector --marker Q7 --role validator --validator 3 --cycle 2 --target src \
                    --exclude ./out --module-loc-limit 300";
        check("inspector", &[], &validator, vote);
    }

    /// What each program is told, literally: who may only read, and who may write.
    #[test]
    fn a_reader_is_given_no_way_to_write() {
        let codex = "exec --json --color never --skip-git-repo-check --ephemeral --sandbox";
        check("codex", &[], &SEEKER, &format!("{codex} read-only -c project_doc_max_bytes=0 -"));
        let writing = "workspace-write -c sandbox_workspace_write.exclude_slash_tmp=true";
        check("codex", &["-c", "x=1"], &FIXER, &format!("{codex} {writing} --model m1 -c x=1 -"));
        let pi = "-p --mode json --no-session --no-extensions --no-skills --no-prompt-templates";
        let reading = "--no-context-files --tools read,grep,find,ls";
        check("pi", &[], &SEEKER, &format!("{pi} {reading}"));
        check("pi", &["--provider", "x"], &FIXER, &format!("{pi} --model m1 --provider x"));
        let claude = "-p --output-format json --no-session-persistence --setting-sources user";
        check("claude", &[], &SEEKER, &format!("{claude} --tools Read,Grep,Glob"));
        check("claude", &[], &FIXER, &format!("{claude} --permission-mode acceptEdits --model m1"));
        let json = "--output-format json";
        check("gemini", &[], &SEEKER, json);
        check("gemini", &[], &FIXER, &format!("{json} --approval-mode auto_edit --model m1"));
        check("qwen", &[], &SEEKER, &format!("{json} --approval-mode plan"));
        check("qwen", &[], &FIXER, &format!("{json} --approval-mode auto-edit --model m1"));
        check("copilot", &[], &SEEKER, &format!("{json} --available-tools view,grep,glob"));
        check("copilot", &[], &FIXER, &format!("{json} --allow-all-tools --model m1"));
        let opencode = "run --format json --title tribunal";
        check("opencode", &[], &SEEKER, opencode);
        check("opencode", &[], &FIXER, &format!("{opencode} --model m1"));
        let names = |may_write| agent("opencode").expect("a row").variables(may_write).count();
        assert_eq!((names(false), names(true)), (2, 1), "permissions are for readers");
    }

    #[test]
    fn a_flag_comes_once_for_each_word_of_its_slot() {
        let folders = ["/r/1", "/r/2"].map(PathBuf::from);
        let only = ["security", "rust-dbg-value"].map(str::to_owned);
        let rules = RuleChoice {
            folders: &folders,
            only: &only,
            skip: &["py-eval".to_owned()],
            linters: &["clippy", "ruff"],
            cache: Some(Path::new("/t/cache")),
        };
        let asking = Asking { rules, ..SEEKER };
        let seek = "inspector --marker Q7 --role seeker --cycle 2 --target src \
                    --module-loc-limit 300 --rules /r/1 --rules /r/2 --only security \
                    --only rust-dbg-value --skip py-eval --linter clippy --linter ruff \
                    --cache /t/cache";
        check("inspector", &[], &asking, seek);
        check("command", &["--print"], &asking, "--print");
    }

    #[test]
    fn an_unknown_agent_is_answered_with_the_names() {
        let error = agent("oracle").expect_err("no such row").to_string();
        assert!(error.starts_with("`oracle` is no agent (command, inspector, codex, "), "{error}");
    }
}
