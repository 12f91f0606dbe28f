//! Agent command lines as data: one row per program that Tribunal knows how to ask.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How one agent is asked, and where its answer is; data, never code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentRow {
    /// The name that `--agent KEY=NAME` uses.
    pub name: &'static str,
    /// What stands behind the words that the caller gives (program and first arguments).
    pub arguments: &'static [Argument],
    /// How the prompt reaches it; never as an argument.
    pub prompt: PromptWay,
    /// Where its final text is.
    pub answer: AnswerPlace,
}

/// Arguments that a row adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// This word.
    Word(&'static str),
    /// This flag before each word that the call says for the slot: not at all when it says nothing.
    Flag(&'static str, Slot),
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

/// How a prompt goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptWay {
    /// On standard input, which is then closed.
    Stdin,
}

/// Where the final text comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerPlace {
    /// All of standard output.
    Stdout,
}

/// Every agent there is a row for.
pub const AGENTS: &[AgentRow] = &[
    // Any program that reads a prompt and prints an answer.
    AgentRow {
        name: "command",
        arguments: &[],
        prompt: PromptWay::Stdin,
        answer: AnswerPlace::Stdout,
    },
    // The embedded agent: the caller names the program that links it, usually itself.
    AgentRow {
        name: "inspector",
        arguments: &[
            Argument::Word("inspector"),
            Argument::Flag("--marker", Slot::DataMark),
            Argument::Flag("--role", Slot::Role),
            Argument::Flag("--validator", Slot::Validator),
            Argument::Flag("--cycle", Slot::Cycle),
            Argument::Flag("--target", Slot::Target),
            Argument::Flag("--exclude", Slot::OutputDir),
            Argument::Flag("--module-loc-limit", Slot::ModuleLocLimit),
            Argument::Flag("--rules", Slot::Rules),
            Argument::Flag("--only", Slot::Only),
            Argument::Flag("--skip", Slot::Skip),
            Argument::Flag("--linter", Slot::Linters),
            Argument::Flag("--cache", Slot::Cache),
        ],
        prompt: PromptWay::Stdin,
        answer: AnswerPlace::Stdout,
    },
];

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

/// What one call says in its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking<'a> {
    /// The mark around data blocks in the prompt, the same for a whole run.
    pub data_mark: &'a str,
    /// The word of the role.
    pub role: &'a str,
    /// Which validator it is; `None` for every other role.
    pub validator: Option<u32>,
    /// The cycle, from 1.
    pub cycle: u32,
    /// What is audited, relative to the working directory.
    pub target: &'a str,
    /// Where results are written; `None` where nothing is.
    pub output_dir: Option<&'a str>,
    /// The line count above which a module is reported.
    pub module_loc_limit: u32,
    /// What is looked for.
    pub rules: RuleChoice<'a>,
}

/// Which structural rules a call goes by; an agent without rules is not told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleChoice<'a> {
    /// Folders of rules that are no part of the agent.
    pub folders: &'a [PathBuf],
    /// Rules and categories that alone are looked for; all, when there are none.
    pub only: &'a [String],
    /// Rules and categories that are left out.
    pub skip: &'a [String],
    /// External linters that may be run, by name.
    pub linters: &'a [&'a str],
    /// Where what was learned of unchanged files is kept between calls.
    pub cache: Option<&'a Path>,
}

impl AgentRow {
    /// The arguments of one call: the caller's own, then the row's.
    #[must_use]
    pub fn arguments(&self, given: &[OsString], asking: &Asking<'_>) -> Vec<OsString> {
        let mut words = given.to_vec();
        for argument in self.arguments {
            match *argument {
                Argument::Word(word) => words.push(word.into()),
                Argument::Flag(flag, slot) => {
                    for value in asking.words(slot) {
                        words.extend([flag.into(), value]);
                    }
                }
            }
        }
        words
    }
}

impl Asking<'_> {
    fn words(&self, slot: Slot) -> Vec<OsString> {
        let rules = &self.rules;
        match slot {
            Slot::DataMark => vec![self.data_mark.into()],
            Slot::Role => vec![self.role.into()],
            Slot::Validator => {
                self.validator.iter().map(|number| number.to_string().into()).collect()
            }
            Slot::Cycle => vec![self.cycle.to_string().into()],
            Slot::Target => vec![self.target.into()],
            Slot::OutputDir => self.output_dir.iter().map(Into::into).collect(),
            Slot::ModuleLocLimit => vec![self.module_loc_limit.to_string().into()],
            Slot::Rules => rules.folders.iter().map(Into::into).collect(),
            Slot::Only => rules.only.iter().map(Into::into).collect(),
            Slot::Skip => rules.skip.iter().map(Into::into).collect(),
            Slot::Linters => rules.linters.iter().map(Into::into).collect(),
            Slot::Cache => rules.cache.iter().map(Into::into).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEKER: Asking<'_> = Asking {
        data_mark: "Q7",
        role: "seeker",
        validator: None,
        cycle: 2,
        target: "src",
        output_dir: None,
        module_loc_limit: 300,
        rules: RuleChoice { folders: &[], only: &[], skip: &[], linters: &[], cache: None },
    };

    fn check(name: &str, given: &[&str], asking: &Asking<'_>, expected: &str) {
        let given: Vec<OsString> = given.iter().map(Into::into).collect();
        let words = agent(name).expect("a row").arguments(&given, asking);
        assert_eq!(words.join(" ".as_ref()), expected, "{name}");
    }

    #[test]
    fn a_row_adds_its_arguments_behind_the_callers() {
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
        let error = agent("oracle").expect_err("no such row");
        assert_eq!(error.to_string(), "`oracle` is no agent (command, inspector)");
    }
}
