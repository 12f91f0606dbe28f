//! Clearing away what a call or a run leaves behind.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};

use crate::process_table::{all, children, is_child, marker_of};
use crate::{Marker, leaders};

/// How long a sweep waits for processes that do not die, as one that hangs in the kernel.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether orphans of our children become our own children.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Makes this process the parent of every orphan among its descendants.
///
/// For a program all of whose children are started by this crate, before the first of them: from now
/// on every other child counts as left behind by a call, and is killed and reaped. A library never
/// calls it (D42).
///
/// # Errors
///
/// When the system refuses.
pub fn become_subreaper() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    ADOPTING.store(true, Ordering::Relaxed);
    Ok(())
}

/// What a sweep came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Swept {
    /// The processes that were killed.
    pub killed: Vec<u32>,
    /// The processes that would not die within two seconds.
    pub left: Vec<u32>,
}

impl Swept {
    pub(crate) fn report(&self) {
        if !self.left.is_empty() {
            tracing::warn!(pids = ?self.left, "processes that were killed do not end");
        }
        if !self.killed.is_empty() {
            tracing::debug!(pids = ?self.killed, "processes left behind were killed");
        }
    }
}

/// Names the runs that any process on this machine carries a marker of.
///
/// One look through `/proc`; other users' processes are not seen.
#[must_use]
pub fn marked_runs() -> BTreeSet<String> {
    let markers = all().into_iter().filter_map(marker_of);
    markers
        .filter_map(|marker| {
            let run = marker.split(|byte| *byte == b'/').next().unwrap_or_default();
            String::from_utf8(run.to_vec()).ok()
        })
        .collect()
}

/// Kills every process that carries `marker` or one below it, and every adopted child that belongs
/// to no running call; repeats until none is left.
///
/// Blocks, for two seconds at most. Waits for each process by its descriptor and reaps adopted
/// children alone, never a leader that somebody else waits for. Finds nothing of other users and
/// nothing where the marker was taken out of the environment, unless it was adopted.
pub fn sweep(marker: &Marker) -> Swept {
    let deadline = Instant::now() + PATIENCE;
    let mut killed = BTreeSet::new();
    loop {
        let targets = targets(marker);
        let left = || targets.iter().map(Target::number).collect();
        if targets.is_empty() || Instant::now() > deadline {
            return Swept { left: left(), killed: killed.into_iter().collect() };
        }
        for target in &targets {
            match pidfd_send_signal(&target.descriptor, Signal::KILL) {
                Ok(()) => {
                    killed.insert(target.number());
                }
                // It has ended already, or runs as somebody else; then it is left.
                Err(error) => tracing::debug!(pid = target.number(), %error, "no signal"),
            }
        }
        for target in &targets {
            let remaining = deadline.saturating_duration_since(Instant::now());
            if ended_within(&target.descriptor, remaining) && target.adopted {
                target.reap();
            }
        }
    }
}

/// Whether there is anything that [`sweep`] would kill.
pub(crate) fn anything_left(marker: &Marker) -> bool {
    if ADOPTING.load(Ordering::Relaxed) {
        // Whatever lives on has an ancestor that was adopted.
        let leaders = leaders::living();
        children().iter().any(|pid| !leaders.contains_key(&pid.as_raw_nonzero().get()))
    } else {
        all().into_iter().any(|pid| marker_of(pid).is_some_and(|value| marker.covers(&value)))
    }
}

/// Waits until a process has ended, dead and unreaped counting as ended.
pub(crate) fn ended_within(descriptor: &OwnedFd, longest: Duration) -> bool {
    let longest = Timespec {
        tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: longest.subsec_nanos().into(),
    };
    let mut waiting = [PollFd::new(descriptor, PollFlags::IN)];
    poll(&mut waiting, Some(&longest)).is_ok_and(|ready| ready > 0)
}

/// A process to be killed, held by a descriptor so that its number cannot change hands.
struct Target {
    pid: Pid,
    descriptor: OwnedFd,
    adopted: bool,
}

impl Target {
    fn number(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    fn reap(&self) {
        use std::os::fd::AsFd as _;
        let id = WaitId::PidFd(self.descriptor.as_fd());
        if let Err(error) = waitid(id, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            tracing::debug!(pid = self.number(), %error, "an adopted child was not reaped");
        }
    }
}

fn targets(marker: &Marker) -> Vec<Target> {
    let adopting = ADOPTING.load(Ordering::Relaxed);
    let leaders = leaders::living();
    let claim = |pid: Pid| -> Option<Claim> {
        let value = marker_of(pid);
        let adopted =
            adopting && !leaders.contains_key(&pid.as_raw_nonzero().get()) && is_child(pid);
        let wanted = match &value {
            Some(value) if marker.covers(value) => true,
            Some(value) => adopted && !leaders.values().any(|call| call.covers(value)),
            // It may be any running call's; the last one to end takes it away.
            None => adopted && leaders.values().all(|call| marker.covers(call.as_str().as_bytes())),
        };
        wanted.then_some(Claim { value, adopted })
    };
    all()
        .into_iter()
        .filter_map(|pid| {
            let seen = claim(pid)?;
            let descriptor = pidfd_open(pid, PidfdFlags::empty()).ok()?;
            // Seen again with the descriptor in hand, it is the one that the descriptor holds.
            let adopted = seen.adopted;
            (claim(pid)? == seen).then_some(Target { pid, descriptor, adopted })
        })
        .collect()
}

/// Why a process is to be killed.
#[derive(PartialEq, Eq)]
struct Claim {
    value: Option<Vec<u8>>,
    adopted: bool,
}
