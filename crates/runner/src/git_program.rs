//! The git program, for what libgit2 does not do as the user's git would: commits and merges with
//! filters and merge drivers.

use std::path::Path;

use tribunal_dispatch::{Cancel, Ended, Invocation, Limits, Marker, Stdin, run_unspooled};
use tribunal_phase::RunId;

use crate::error::RunError;
use crate::surroundings::Surroundings;

/// What leads git elsewhere than to the folder it is started in.
const ELSEWHERE: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// What git said.
pub(crate) struct Said {
    /// Its exit status was 0.
    pub(crate) succeeded: bool,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// The end of its standard error.
    pub(crate) stderr: String,
}

/// Runs git in a folder, with the user's environment; it asks nobody anything and runs no hooks.
///
/// # Errors
/// There is no git, or it was ended.
pub(crate) async fn git(
    folder: &Path,
    arguments: &[&str],
    run: &RunId,
    surroundings: &Surroundings,
) -> Result<Said, RunError> {
    let led = |name: &std::ffi::OsStr| ELSEWHERE.iter().any(|elsewhere| name == *elsewhere);
    let mut env = surroundings.environment.clone();
    env.retain(|(name, _)| !led(name));
    env.push(("GIT_TERMINAL_PROMPT".into(), "0".into()));
    env.push(("GIT_EDITOR".into(), "true".into()));
    let invocation = Invocation {
        program: "git".into(),
        args: ["-c", "core.hooksPath=/dev/null"].iter().chain(arguments).map(Into::into).collect(),
        env,
        cwd: folder.to_owned(),
        stdin: Stdin::Null,
        limits: Limits::default(),
        marker: Marker::of_run(run.as_str()),
    };
    let failed = |why: String| RunError::Git { what: arguments.join(" "), why };
    let reply = run_unspooled(&invocation, Cancel::never())
        .await
        .map_err(|error| failed(error.to_string()))?;
    let Ended::Exited(code) = reply.ended else { return Err(failed("it was ended".to_owned())) };
    Ok(Said {
        succeeded: code == 0,
        stdout: reply.stdout.bytes,
        stderr: String::from_utf8_lossy(&reply.stderr).trim().to_owned(),
    })
}

/// The same, where anything but success is an error.
///
/// # Errors
/// Git's message.
pub(crate) async fn git_or_fail(
    folder: &Path,
    arguments: &[&str],
    run: &RunId,
    surroundings: &Surroundings,
) -> Result<Said, RunError> {
    let said = git(folder, arguments, run, surroundings).await?;
    if said.succeeded {
        return Ok(said);
    }
    Err(RunError::Git { what: arguments.join(" "), why: said.stderr })
}
