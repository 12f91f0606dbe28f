//! The agents that are installed, and how each is led to the model.

use std::fs;
use std::path::{Path, PathBuf};

use tribunal_test_support::{Asked, Program, Repo, Sandbox, ScriptedModel, Turn, binary};

/// What the model is paid with; no secret of whoever runs the tests.
pub(super) const KEY: &str = "scripted-key";

/// A real agent program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Agent {
    Codex,
    Pi,
}

/// A machine on which agents ask a scripted model.
pub(super) struct Machine {
    pub(super) sandbox: Sandbox,
    pub(super) model: ScriptedModel,
    pub(super) repo: Repo,
}

impl Agent {
    pub(super) const ALL: [Self; 2] = [Self::Codex, Self::Pi];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::Pi => "pi",
        }
    }

    /// Its program; `None`, with a line that says so, where it is not installed.
    pub(super) fn program(self) -> Option<PathBuf> {
        let tribunal = binary("tribunal");
        let target = tribunal.ancestors().nth(2).expect("target/PROFILE/tribunal");
        let program = target.join("agents/node_modules/.bin").join(self.name());
        if program.exists() {
            return Some(program);
        }
        eprintln!("{}: not installed (npm; cargo xtask agents), its runs are skipped", self.name());
        None
    }
}

impl Machine {
    /// Sets both agents up for the model; `deadline` is theirs, in seconds.
    pub(super) fn new(
        deadline: u32,
        script: impl Fn(&Asked, &Path) -> Turn + Send + Sync + 'static,
    ) -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.repo("shop");
        let root = repo.root().to_owned();
        let model = ScriptedModel::start(move |asked| script(asked, &root));
        let url = model.base_url();
        let (codex, pi) = (sandbox.home().join(".codex"), sandbox.home().join(".pi/agent"));
        write(
            &codex.join("config.toml"),
            &format!(
                "model = \"scripted\"\nmodel_provider = \"s\"\n[model_providers.s]\nname = \"s\"\n\
                 base_url = \"{url}\"\nenv_key = \"SCRIPTED_KEY\"\nwire_api = \"responses\"\n\
                 request_max_retries = 0\nstream_max_retries = 0\n[analytics]\nenabled = false\n"
            ),
        );
        write(
            &pi.join("models.json"),
            &format!(
                r#"{{"providers":{{"scripted":{{"baseUrl":"{url}","api":"openai-completions",
                "apiKey":"{KEY}","models":[{{"id":"scripted","name":"scripted",
                "contextWindow":128000,"maxTokens":8000}}]}}}}}}"#
            ),
        );
        write(&pi.join("settings.json"), r#"{"retry":{"enabled":false}}"#);
        let machine = Self { sandbox, model, repo };
        machine.configure(deadline);
        machine
    }

    fn configure(&self, deadline: u32) {
        let mut settings = "agents:\n".to_owned();
        for agent in Agent::ALL {
            let Some(program) = agent.program() else { continue };
            let (name, program) = (agent.name(), program.display());
            settings += &format!("  {name}:\n    agent: {name}\n    deadline: {deadline}\n");
            settings += &match agent {
                Agent::Codex => {
                    format!("    command: {program} --disable plugins\n    env: [SCRIPTED_KEY]\n")
                }
                Agent::Pi => {
                    format!("    command: {program} --provider scripted\n    model: scripted\n")
                }
            };
        }
        write(&self.sandbox.config().join("tribunal/config.yaml"), &settings);
    }

    /// An audit of the repository by one agent, or by several.
    pub(super) fn audit(&self, arguments: &[&str]) -> Program {
        self.sandbox
            .tribunal(&["audit", "."])
            .args(arguments)
            .env("SCRIPTED_KEY", KEY)
            .env("OTHER_KEY", "not for agents")
            .dir(self.repo.root())
    }
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("a file has a folder")).expect("created");
    fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
