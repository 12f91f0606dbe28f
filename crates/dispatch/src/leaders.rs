//! The children that this process has started itself and not yet reaped.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, test_kill_process_group,
};
use tokio::process::{Child, Command};

use crate::Marker;
use crate::launch::pid_of;
use crate::sweep::ended_within;

/// The list of a process's children is one for the whole process, so the list of those among them
/// that are no orphans of a call's is, too.
static LEADERS: Mutex<BTreeMap<i32, Marker>> = Mutex::new(BTreeMap::new());

fn leaders() -> MutexGuard<'static, BTreeMap<i32, Marker>> {
    // Each change is one call of the map's, so a panic leaves it whole.
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The leaders of all running calls, with their markers.
pub(crate) fn living() -> BTreeMap<i32, Marker> {
    leaders().clone()
}

/// A child that leads a process group of its own, on the list as long as this lives.
#[derive(Debug)]
pub(crate) struct Leader {
    pid: Pid,
}

impl Leader {
    /// Starts a child and lists it in one step: nobody may take it for an orphan in between.
    pub(crate) fn spawn(command: &mut Command, marker: &Marker) -> io::Result<(Child, Self)> {
        let mut leaders = leaders();
        let child = command.spawn()?;
        let pid = pid_of(&child).expect("a child that was not waited for has an id");
        leaders.insert(pid.as_raw_nonzero().get(), marker.clone());
        Ok((child, Self { pid }))
    }

    pub(crate) fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    pub(crate) fn signal_group(&self, signal: Signal) {
        match kill_process_group(self.pid, signal) {
            // Nobody of the group is left.
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => tracing::warn!(pid = self.pid(), %error, "the group took no signal"),
        }
    }

    /// Whether anybody of its group is left; its own zombie counts.
    pub(crate) fn group_lives(&self) -> bool {
        // A refusal means that there is somebody who refuses.
        !matches!(test_kill_process_group(self.pid), Err(rustix::io::Errno::SRCH))
    }

    /// Waits for the end of a killed leader without reaping it, for a second at most.
    pub(crate) fn wait_for_end(&self) {
        if let Ok(descriptor) = pidfd_open(self.pid, PidfdFlags::empty()) {
            ended_within(&descriptor, Duration::from_secs(1));
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        leaders().remove(&self.pid());
    }
}
