//! Where linters are started: by the supervisor, with its environment, limits and sweeping.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;
use tempfile::TempDir;
use tribunal_dispatch::{
    Cancel, Ended, Environment, Invocation, LaunchErrorKind, Limits, Marker, Reply, Stdin,
    run_unspooled,
};

use super::rows::Row;
use super::trouble::{Why, gist};

/// How long one linter may take for one unit.
const DEADLINE: Duration = Duration::from_secs(300);
/// How much of its report is read; a report of this size has over 100 000 findings.
const LARGEST: u64 = 64 << 20;

/// One start of a linter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) program: OsString,
    pub(super) args: Vec<OsString>,
    /// Absolute.
    pub(super) cwd: PathBuf,
}

/// What the inspector was given of the world, and the folder for what linters keep.
pub(crate) struct Workplace {
    environment: Vec<(OsString, OsString)>,
    limits: Limits,
    scratch: Scratch,
    started: Cell<u32>,
}

enum Scratch {
    /// The run's own, or the caller's: its later calls meet it again.
    Kept(PathBuf),
    /// Removed with this call.
    Own(TempDir),
}

impl Workplace {
    /// Takes the environment that the inspector was started with.
    ///
    /// The scratch folder is the temporary folder of the run, which the run removes; outside of a
    /// run it is the folder of the cache file, else one that lasts as long as this.
    pub(crate) fn new(
        environment: Vec<(OsString, OsString)>,
        cache: Option<&Path>,
    ) -> std::io::Result<Self> {
        let limits = Limits { deadline: Some(DEADLINE), stdout_cap: LARGEST, ..Limits::default() };
        let folder = variable(&environment, "TMPDIR").map(Path::new);
        let of_run = folder.filter(|_| variable(&environment, "TRIBUNAL_RUN").is_some());
        let cache = cache.map(std::path::absolute).transpose()?;
        let scratch = match (of_run.or(cache.as_deref().and_then(Path::parent)), folder) {
            (Some(kept), _) => {
                fs::create_dir_all(kept)?;
                Scratch::Kept(kept.to_owned())
            }
            (None, Some(folder)) => Scratch::Own(TempDir::with_prefix_in("inspector-", folder)?),
            (None, None) => Scratch::Own(TempDir::with_prefix("inspector-")?),
        };
        Ok(Self { environment, limits, scratch, started: Cell::new(0) })
    }

    /// Where a linter may keep what saves work in the next call.
    pub(super) fn scratch(&self) -> &Path {
        match &self.scratch {
            Scratch::Kept(folder) => folder,
            Scratch::Own(folder) => folder.path(),
        }
    }

    /// Whether a program of this name is on the path that linters are started with.
    pub(super) fn holds(&self, program: &str) -> bool {
        let path = variable(&self.environment, "PATH").unwrap_or_default();
        std::env::split_paths(path).any(|folder| folder.join(program).is_file())
    }

    /// Runs a linter to its end. Whether its status stands for a report is the caller's to judge.
    pub(super) fn run(&self, row: &Row, job: &Job) -> Result<(i32, Vec<u8>, String), Why> {
        let invocation = self.invocation(row, job);
        let reply = self.reply(&invocation)?;
        let status = match reply.ended {
            Ended::Exited(status) => status,
            Ended::Signalled(signal) => return Err(Why::Signalled(signal)),
            Ended::Deadline | Ended::Idle | Ended::Cancelled => {
                return Err(Why::Hung(reply.wall.as_secs()));
            }
        };
        if reply.stdout.truncated {
            return Err(Why::Flooded(reply.stdout.total));
        }
        Ok((status, reply.stdout.bytes, gist(&reply.stderr)))
    }

    fn reply(&self, invocation: &Invocation) -> Result<Reply, Why> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let run = run_unspooled(invocation, Cancel::never());
        runtime.block_on(run).map_err(|error| match error.kind() {
            LaunchErrorKind::NotFound => Why::Absent,
            LaunchErrorKind::NotExecutable(_)
            | LaunchErrorKind::Cwd(_)
            | LaunchErrorKind::Spool(_)
            | LaunchErrorKind::Io(_) => Why::Launch(error),
        })
    }

    fn invocation(&self, row: &Row, job: &Job) -> Invocation {
        let number = self.started.get() + 1;
        self.started.set(number);
        let allowed = Environment::new(self.environment.iter().cloned()).allow(row.allowed);
        let environment =
            row.set.iter().fold(allowed, |given, (name, value)| given.set(*name, *value));
        // Below our own mark, so that whoever sweeps for us sweeps for the linter too.
        let given = variable(&self.environment, Marker::VARIABLE).and_then(OsStr::to_str);
        let own = given.map_or_else(|| format!("inspector-{}", std::process::id()), str::to_owned);
        Invocation {
            program: job.program.clone(),
            args: job.args.clone(),
            env: environment.for_lone_child(self.scratch()),
            cwd: job.cwd.clone(),
            stdin: Stdin::Null,
            limits: self.limits,
            marker: Marker::of_run(&own).below(&format!("{}-{number}", row.name)),
        }
    }
}

fn variable<'e>(environment: &'e [(OsString, OsString)], name: &str) -> Option<&'e OsStr> {
    environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::Linter;

    /// Runs a line of bash as if it were a linter, with a second of time and a kilobyte of room.
    fn check(script: &str, expected: &str) {
        let environment = [("PATH", "/usr/bin:/bin"), ("HOME", "/"), ("SECRET", "s")];
        let environment = environment.map(|(name, value)| (name.into(), value.into())).to_vec();
        let mut workplace = Workplace::new(environment, None).expect("a place");
        workplace.limits.deadline = Some(Duration::from_secs(1));
        workplace.limits.stdout_cap = 1024;
        let args = ["-c", script].map(OsString::from).to_vec();
        let job = Job { program: "bash".into(), args, cwd: "/".into() };
        let shown = match workplace.run(Linter::Ruff.row(), &job) {
            Ok((status, stdout, said)) => {
                format!("{status} {} {said}", String::from_utf8_lossy(&stdout).trim_end())
            }
            Err(why) => why.to_string(),
        };
        assert_eq!(shown, expected, "{script}");
    }

    #[test]
    fn a_linter_that_fails_floods_or_hangs_is_told_from_one_that_answers() {
        check("echo '[]'; exit 1", "1 [] ");
        check("echo broken >&2; exit 2", "2  broken");
        check("echo ${SECRET-unset}", "0 unset ");
        check("kill -9 $$", "was ended by signal 9, so its report is not whole");
        check(
            "head -c 5000 /dev/zero",
            "printed 5000 bytes, more than are read; its report was left out",
        );
        check(
            "sleep 60",
            "did not end within 1 s and was stopped; what it would have found is not known",
        );
        check(
            "exec yes",
            "did not end within 1 s and was stopped; what it would have found is not known",
        );
    }

    #[test]
    fn a_run_keeps_the_folder_and_a_call_alone_removes_it() {
        let folder = TempDir::new().expect("a folder");
        let tmp = (OsString::from("TMPDIR"), folder.path().as_os_str().to_owned());
        let run = (OsString::from("TRIBUNAL_RUN"), OsString::from("r1"));
        let of_run = Workplace::new(vec![tmp.clone(), run], None).expect("a place");
        assert_eq!(of_run.scratch(), folder.path());
        let cache = folder.path().join("kept/scans");
        let beside = Workplace::new(vec![tmp.clone()], Some(&cache)).expect("a place");
        assert_eq!(beside.scratch(), folder.path().join("kept"));
        let own = Workplace::new(vec![tmp], None).expect("a place");
        let place = own.scratch().to_owned();
        assert!(place.starts_with(folder.path()) && place.is_dir());
        drop(own);
        assert!(!place.exists());
    }
}
