//! Agent command lines as data: one row per program that Tribunal knows how to ask.

use std::ffi::OsString;

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
    /// This flag and what the call says for the slot; both are left out when it says nothing.
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
                    if let Some(value) = asking.word(slot) {
                        words.extend([flag.into(), value.into()]);
                    }
                }
            }
        }
        words
    }
}

impl Asking<'_> {
    fn word(&self, slot: Slot) -> Option<String> {
        match slot {
            Slot::DataMark => Some(self.data_mark.to_owned()),
            Slot::Role => Some(self.role.to_owned()),
            Slot::Validator => self.validator.map(|number| number.to_string()),
            Slot::Cycle => Some(self.cycle.to_string()),
            Slot::Target => Some(self.target.to_owned()),
            Slot::OutputDir => self.output_dir.map(str::to_owned),
            Slot::ModuleLocLimit => Some(self.module_loc_limit.to_string()),
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
    fn an_unknown_agent_is_answered_with_the_names() {
        let error = agent("oracle").expect_err("no such row");
        assert_eq!(error.to_string(), "`oracle` is no agent (command, inspector)");
    }
}
