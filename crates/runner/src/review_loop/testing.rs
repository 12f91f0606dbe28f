//! The test command: Tribunal runs it itself (D27).

use std::path::{Path, PathBuf};
use std::time::Duration;

use tribunal_dispatch::{
    Canceller, Ended, Environment, Identity, Invocation, LaunchError, Limits, Marker, Reply, Stdin,
};
use tribunal_phase::review_loop::TEST_STEP;
use tribunal_phase::{CallId, What};

use super::hang_up::{self, Gone};
use super::session::Session;
use crate::error::RunError;
use crate::signals::Signals;

/// The file that holds the command's text.
const SCRIPT: &str = "script";

/// What toolchains need of our environment, besides what every child gets.
const TOOLCHAINS: [&str; 12] = [
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "JAVA_HOME",
    "NVM_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "XDG_CACHE_HOME",
];

async fn caller_gone(gone: &mut Option<Gone>) {
    match gone {
        Some(gone) => gone.wait().await,
        None => std::future::pending().await,
    }
}

impl Session<'_> {
    /// Runs the test command to its end. A signal is put on record, then the command is ended.
    pub(super) async fn test(&mut self, call: &CallId) -> Result<(), RunError> {
        let command = self.definition.test_command.clone();
        let command = command.ok_or_else(|| RunError::Lost("the test command".to_owned()))?;
        // Both streams in one, in the order in which they were written.
        let text = format!("exec 2>&1\n{command}\n");
        let folder = self.run.command_files(call, &[(SCRIPT.to_owned(), text.into_bytes())])?;
        let prompt = self.run.keep(command.as_bytes())?;
        self.take(What::Launched { call: call.clone(), attempt: 1, prompt })?;
        self.run.sync()?;
        let (spool, path) = self.run.spool(call, 1)?;
        let invocation = self.invocation(call, &folder.join(SCRIPT));
        let (canceller, cancel) = Canceller::new();
        let mut signals = Signals::new()?;
        let mut gone = self.gone.clone();
        let reply = {
            let mut running = std::pin::pin!(tribunal_dispatch::run(&invocation, spool, cancel));
            loop {
                let signal = tokio::select! {
                    biased;
                    reply = &mut running => break reply,
                    signal = signals.next() => signal,
                    () = caller_gone(&mut gone) => {
                        gone = None;
                        hang_up::SIGNAL
                    }
                };
                if self.signal.is_none() {
                    self.take(What::Interrupted { signal })?;
                }
                canceller.cancel();
            }
        };
        if self.signal.is_some() {
            return Ok(());
        }
        self.ended(call, reply, &path)
    }

    fn ended(
        &mut self,
        call: &CallId,
        reply: Result<Reply, LaunchError>,
        spool: &Path,
    ) -> Result<(), RunError> {
        let (exit, output) = match reply {
            Ok(reply) => {
                let exit = match reply.ended {
                    Ended::Exited(code) => Some(code),
                    Ended::Signalled(_) | Ended::Deadline | Ended::Idle | Ended::Cancelled => None,
                };
                (exit, self.run.keep_file(spool)?)
            }
            Err(error) => (None, self.run.keep(error.to_string().as_bytes())?),
        };
        self.take(What::Ran { call: call.clone(), exit, output })
    }

    fn invocation(&self, call: &CallId, script: &Path) -> Invocation {
        let id = self.run.id().as_str();
        let text = call.to_string();
        let round = self.state.progress().map_or(0, |progress| progress.round);
        let identity =
            Identity { role: "command", step: TEST_STEP, cycle: round, run: id, call: &text };
        let environment = Environment::new(self.surroundings.environment.clone())
            .allow(TOOLCHAINS)
            .set("CI", "true");
        Invocation {
            program: "bash".into(),
            args: vec!["-o".into(), "pipefail".into(), script.into()],
            env: environment.for_child(&identity, self.run.tmp()),
            cwd: PathBuf::from(&self.definition.root),
            stdin: Stdin::Null,
            limits: Limits {
                deadline: Some(Duration::from_millis(self.definition.test_timeout)),
                ..Limits::default()
            },
            marker: Marker::of_run(id).below(&format!("{call}/1")),
        }
    }
}
