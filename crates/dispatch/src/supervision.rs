//! Seeing a child through: its pipes, its limits, and what it leaves behind.

use std::future;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Instant;

use rustix::process::Signal;
use tokio::process::Child;
use tokio::time::sleep_until;

use crate::ladder::Ladder;
use crate::launch::Running;
use crate::pipes::{Moved, Pipes};
use crate::sweep::anything_left;
use crate::{Cancel, Ended, LaunchError, LaunchErrorKind, Reply, sweep};

pub(crate) async fn see_through(
    mut running: Running<'_>,
    mut cancel: Cancel,
) -> Result<Reply, LaunchError> {
    let invocation = running.invocation;
    let fail = |kind| LaunchError::new(&invocation.program, kind);
    let mut pipes = Pipes::of(&mut running.child, invocation);
    let mut ladder = Ladder::new(invocation.limits, running.started);
    let mut wall = None;
    let verdict = loop {
        if let Some(verdict) = ladder.verdict(pipes.are_closed()) {
            break verdict;
        }
        let timer = ladder.next_timer();
        let signal = tokio::select! {
            status = exit_of(&mut running.child, ladder.is_draining()) => {
                let status = status.map_err(|error| fail(LaunchErrorKind::Io(error)))?;
                wall = Some(running.started.elapsed());
                ladder.ended(by_itself(status), Instant::now());
                None
            }
            moved = pipes.move_on() => {
                match moved.map_err(|error| fail(LaunchErrorKind::Io(error)))? {
                    Moved::Out(bytes) => {
                        ladder.heard(Instant::now());
                        let kept = running.spool.write_all(bytes);
                        kept.map_err(|error| fail(LaunchErrorKind::Spool(error)))?;
                    }
                    Moved::Err => ladder.heard(Instant::now()),
                    Moved::InOrClosed => {}
                }
                None
            }
            times = cancel.beyond(ladder.cancels()) => ladder.cancelled(times, Instant::now()),
            () = elapse(timer) => ladder.timer_fired(Instant::now()),
        };
        if let (Some(signal), Some(leader)) = (signal, &running.leader) {
            leader.signal_group(signal);
        }
    };
    // One that was given up ran until now.
    let wall = wall.unwrap_or_else(|| running.started.elapsed());
    clear_away(&mut running, verdict.reaped).await;
    let (stdout, stderr) = pipes.finish();
    Ok(Reply { ended: verdict.why, rung: verdict.rung, stdout, stderr, wall })
}

/// Kills what is left of the child's group, and of everything it started elsewhere.
async fn clear_away(running: &mut Running<'_>, reaped: bool) {
    if let Some(leader) = running.leader.take_if(|_| reaped)
        && leader.group_lives()
    {
        leader.signal_group(Signal::KILL);
    }
    let marker = &running.invocation.marker;
    if anything_left(marker) {
        let marker = marker.clone();
        match tokio::task::spawn_blocking(move || sweep(&marker)).await {
            Ok(swept) => swept.report(),
            // The runtime shuts down: it is swept when `running` is dropped.
            Err(_) => return,
        }
    }
    running.over = reaped;
}

async fn exit_of(child: &mut Child, has_ended: bool) -> io::Result<ExitStatus> {
    if has_ended { future::pending().await } else { child.wait().await }
}

async fn elapse(timer: Option<Instant>) {
    match timer {
        Some(at) => sleep_until(at.into()).await,
        None => future::pending().await,
    }
}

fn by_itself(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signalled(signal),
        (None, None) => unreachable!("a child that was waited for has exited or was signalled"),
    }
}
