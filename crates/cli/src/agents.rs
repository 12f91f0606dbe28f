//! From flags and settings to the agents of a run (D41).

use std::path::Path;

use tribunal_runner::{Agent, Agents, known_programs};

use crate::args::RunOptions;
use crate::failure::Failure;
use crate::settings::{AgentSetting, Places, Settings, search_path};

/// The agents of a run: flags before the repository's settings, those before the user's.
pub(crate) fn agents(
    options: &RunOptions,
    settings: &Settings,
    places: &Places,
) -> Result<Agents, Failure> {
    let (program, current_dir) = (places.program.as_path(), places.current_dir.as_path());
    let chooser = Chooser { options, settings, program, current_dir };
    let mut agents = Agents { everyone: chooser.default()?, by_key: Vec::new() };
    for file in [&settings.user, &settings.repository] {
        for (key, name) in &file.roles {
            agents.by_key.push((key.clone(), chooser.named(name)?));
        }
    }
    for said in &options.agents {
        match said.split_once('=') {
            Some((key, name)) if !key.is_empty() => {
                agents.by_key.push((key.to_owned(), chooser.named(name)?));
            }
            Some(_) => return Err(Failure::usage(format!("--agent {said}: nothing before `=`"))),
            None => agents.everyone = chooser.named(said)?,
        }
    }
    Ok(agents)
}

/// The keys that `--agent KEY=NAME` was given.
pub(crate) fn agent_keys(said: &[String]) -> Vec<String> {
    said.iter().filter_map(|said| said.split_once('=')).map(|(key, _)| key.to_owned()).collect()
}

/// What to say when nothing is configured: who reviews, and what else is installed.
pub(crate) fn unconfigured_line(agents: &Agents) -> Option<String> {
    if agents.everyone.row != "inspector" || !agents.by_key.is_empty() {
        return None;
    }
    let path = search_path();
    let installed: Vec<&str> = known_programs()
        .filter(|name| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
        .collect();
    let mut line =
        "no agent is configured: the embedded inspector reviews, without a model".to_owned();
    if !installed.is_empty() {
        line += &format!("; installed here: {} (--agent NAME)", installed.join(", "));
    }
    Some(line)
}

fn is_known_program(name: &str) -> bool {
    known_programs().any(|known| known == name)
}

struct Chooser<'a> {
    options: &'a RunOptions,
    settings: &'a Settings,
    program: &'a Path,
    current_dir: &'a Path,
}

impl Chooser<'_> {
    fn default(&self) -> Result<Agent, Failure> {
        if self.options.agent_command.is_some() {
            return self.named("command");
        }
        let configured =
            self.settings.repository.agent.as_ref().or(self.settings.user.agent.as_ref());
        match configured {
            Some(name) => self.named(name),
            None => self.named("inspector"),
        }
    }

    fn named(&self, name: &str) -> Result<Agent, Failure> {
        if let Some(setting) = self.settings.agent(name) {
            return self.set(name, setting);
        }
        match (name, &self.options.agent_command) {
            ("inspector", _) => {
                let program = self.program.to_str().map(str::to_owned).ok_or_else(|| {
                    Failure::environment("the path of tribunal is not UTF-8".to_owned())
                })?;
                Ok(self.agent(name, "inspector", vec![program]))
            }
            ("command", Some(text)) => {
                let mut words = words("--agent-command", text)?;
                // Children work in the repository root; a path is meant from where the user stands.
                if words[0].contains('/') {
                    let from_here = self.current_dir.join(&words[0]);
                    words[0] = from_here.to_string_lossy().into_owned();
                }
                Ok(self.agent(name, "command", words))
            }
            ("command", None) => {
                Err(Failure::usage("--agent …=command needs --agent-command".to_owned()))
            }
            _ if is_known_program(name) => Ok(self.agent(name, name, Vec::new())),
            _ => {
                let mut known = self.settings.agent_names();
                known.push("inspector");
                known.extend_from_slice(&known_programs().collect::<Vec<_>>());
                Err(Failure::usage(format!(
                    "no agent is called `{name}` (known: {}); name a program with --agent-command or \
                     under `agents:` in the settings",
                    known.join(", ")
                )))
            }
        }
    }

    fn set(&self, name: &str, setting: &AgentSetting) -> Result<Agent, Failure> {
        let place = |key: &str| format!("agents.{name}.{key}");
        let command = setting.command.as_deref();
        let command = command.map(|text| words(&place("command"), text)).transpose()?;
        let row = match (&setting.agent, &command) {
            (Some(row), _) if is_known_program(row) => row,
            (Some(row), _) => {
                let known: Vec<&str> = known_programs().collect();
                return Err(Failure::usage(format!(
                    "{}: `{row}` is no known program ({}); leave it out and name any program as \
                     `command`",
                    place("agent"),
                    known.join(", ")
                )));
            }
            (None, Some(_)) => "command",
            (None, None) if is_known_program(name) => name,
            (None, None) => {
                let what = format!("agents.{name}: neither `agent` nor `command` names a program");
                return Err(Failure::usage(what));
            }
        };
        if row == "command" && setting.model.is_some() {
            return Err(Failure::usage(format!(
                "{}: how `command` is told a model is unknown; put it among its arguments, or say with `agent` which program it is",
                place("model")
            )));
        }
        let mut agent = self.agent(name, row, command.unwrap_or_default());
        agent.model.clone_from(&setting.model);
        agent.deadline = agent.deadline.or(setting.deadline.map(|whole| milliseconds(whole.0)));
        agent.idle = setting.idle.map(|whole| milliseconds(whole.0));
        agent.env.clone_from(&setting.env);
        Ok(agent)
    }

    fn agent(&self, name: &str, row: &str, words: Vec<String>) -> Agent {
        Agent {
            name: name.to_owned(),
            row: row.to_owned(),
            words,
            model: None,
            deadline: self.options.deadline.map(milliseconds),
            idle: None,
            env: Vec::new(),
        }
    }
}

fn milliseconds(seconds: u32) -> u64 {
    u64::from(seconds) * 1000
}

/// Splits a command line into words as a POSIX shell would, without any other power of a shell.
fn words(place: &str, text: &str) -> Result<Vec<String>, Failure> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(words),
        Some(_) => Err(Failure::usage(format!("{place}: names no program"))),
        None => Err(Failure::usage(format!("{place}: a quote is not closed in `{text}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_into_words_and_nothing_else() {
        let split = |text| words("x", text).ok();
        let owned = |words: &[&str]| Some(words.iter().map(ToString::to_string).collect());
        assert_eq!(
            split("a 'b c' \"d\" $HOME ; rm"),
            owned(&["a", "b c", "d", "$HOME", ";", "rm"])
        );
        assert_eq!(split("   "), None);
        assert_eq!(split("a 'b"), None);
    }
}
