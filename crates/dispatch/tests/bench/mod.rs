//! A folder and a marker for one test, and ways to run a child in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tribunal_dispatch::{
    Cancel, Canceller, Invocation, LaunchError, Limits, Marker, Reply, Stdin, run,
};
use tribunal_test_support::carriers;

pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Bench {
    _own: TempDir,
    folder: PathBuf,
    pub(crate) marker: Marker,
}

/// What came of a child, with all it wrote to standard output.
pub(crate) struct End {
    pub(crate) reply: Reply,
    pub(crate) spooled: Vec<u8>,
    pub(crate) took: Duration,
}

impl Bench {
    pub(crate) fn new(test: &str) -> Self {
        let own = tempfile::tempdir().expect("a temporary folder");
        let folder = own.path().canonicalize().expect("it was just made");
        let marker = Marker::of_run(&format!("{test}-{}", std::process::id())).below("1/step/1");
        Self { _own: own, folder, marker }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn spool(&self) -> File {
        File::create(self.file("spool")).expect("our own folder")
    }

    pub(crate) fn spooled_bytes(&self) -> u64 {
        fs::metadata(self.file("spool")).map_or(0, |spool| spool.len())
    }

    /// A shell script, with nothing on its input and a deadline that only a bug reaches.
    pub(crate) fn script(&self, script: &str) -> Invocation {
        let path = std::env::var_os("PATH").expect("tests have a PATH");
        Invocation {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            env: vec![("PATH".into(), path)],
            cwd: self.folder.clone(),
            stdin: Stdin::Null,
            limits: Limits { deadline: Some(Duration::from_secs(60)), ..Limits::default() },
            marker: self.marker.clone(),
        }
    }

    /// Runs a child to its end and looks for what it left.
    pub(crate) async fn run_with(&self, invocation: &Invocation, cancel: Cancel) -> End {
        let spool = self.spool();
        let start = Instant::now();
        let reply = run(invocation, spool, cancel).await.expect("it starts");
        let took = start.elapsed();
        self.assert_nothing_is_left();
        End { reply, spooled: fs::read(self.file("spool")).expect("it was just written"), took }
    }

    pub(crate) async fn run(&self, invocation: &Invocation) -> End {
        self.run_with(invocation, Cancel::never()).await
    }

    pub(crate) async fn failure(&self, invocation: &Invocation) -> LaunchError {
        let failed = run(invocation, self.spool(), Cancel::never()).await;
        failed.expect_err("it cannot start")
    }

    /// Runs a script and cancels it so many times, once it has said something.
    pub(crate) async fn cancel_after_first_words(&self, times: u32, script: &str) -> End {
        let (canceller, cancel) = Canceller::new();
        let invocation = self.script(script);
        // What an earlier child of the same test said does not count.
        drop(self.spool());
        let cancelling = async {
            self.until(|| self.spooled_bytes() > 0).await;
            for _ in 0..times {
                canceller.cancel();
            }
        };
        tokio::join!(self.run_with(&invocation, cancel), cancelling).0
    }

    /// Polls a condition while children run.
    pub(crate) async fn until(&self, condition: impl Fn() -> bool) {
        let start = Instant::now();
        let mut looks = tokio::time::interval(Duration::from_millis(2));
        while !condition() {
            assert!(start.elapsed() < PATIENCE, "waited in vain");
            looks.tick().await;
        }
    }

    pub(crate) fn living(&self) -> Vec<u32> {
        carriers(&format!("{}={}", Marker::VARIABLE, self.marker))
    }

    #[track_caller]
    pub(crate) fn assert_nothing_is_left(&self) {
        assert_eq!(self.living(), Vec::<u32>::new(), "{}", self.marker);
    }
}

pub(crate) fn limited(mut invocation: Invocation, deadline_ms: u64, grace_ms: u64) -> Invocation {
    invocation.limits.deadline = Some(Duration::from_millis(deadline_ms));
    invocation.limits.grace = Duration::from_millis(grace_ms);
    invocation
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it is text")
}
