//! The ladder that ends a child: work, TERM, grace, KILL. No clock of its own.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::{Ended, Limits, Rung};

/// How long pipes are drained after the child's own end: others may hold them for ever.
const DRAIN: Duration = Duration::from_millis(500);

/// How long a killed child may take to end before it is given up: it hangs in the kernel.
const KILL_PATIENCE: Duration = Duration::from_secs(5);

/// Where a child stands, and what is waited for next.
#[derive(Debug)]
pub(crate) struct Ladder {
    limits: Limits,
    started: Instant,
    last_heard: Instant,
    cancels: u32,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Working,
    Terminating { why: Ended, kill_at: Instant },
    Killing { why: Ended, give_up_at: Instant },
    Draining { why: Ended, rung: Option<Rung>, until: Instant },
    Over(Verdict),
}

/// How a child was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) why: Ended,
    pub(crate) rung: Option<Rung>,
    /// Whether its end was seen; a killed child that hangs in the kernel is given up.
    pub(crate) reaped: bool,
}

impl Ladder {
    pub(crate) fn new(limits: Limits, started: Instant) -> Self {
        Self { limits, started, last_heard: started, cancels: 0, stage: Stage::Working }
    }

    /// What came of it, once nothing more is waited for.
    pub(crate) fn verdict(&self, pipes_closed: bool) -> Option<Verdict> {
        match self.stage {
            Stage::Draining { why, rung, .. } if pipes_closed => {
                Some(Verdict { why, rung, reaped: true })
            }
            Stage::Over(verdict) => Some(verdict),
            Stage::Working
            | Stage::Terminating { .. }
            | Stage::Killing { .. }
            | Stage::Draining { .. } => None,
        }
    }

    /// Whether the child itself has ended and only its pipes are waited for.
    pub(crate) fn is_draining(&self) -> bool {
        matches!(self.stage, Stage::Draining { .. })
    }

    /// How often the caller was heard to cancel.
    pub(crate) fn cancels(&self) -> u32 {
        self.cancels
    }

    /// When the present stage is over.
    pub(crate) fn next_timer(&self) -> Option<Instant> {
        match self.stage {
            Stage::Working => self.limit().map(|(at, _)| at),
            Stage::Terminating { kill_at: at, .. }
            | Stage::Killing { give_up_at: at, .. }
            | Stage::Draining { until: at, .. } => Some(at),
            Stage::Over(_) => None,
        }
    }

    /// The limit that is reached first.
    fn limit(&self) -> Option<(Instant, Ended)> {
        let deadline = self.limits.deadline.and_then(|limit| self.started.checked_add(limit));
        let idle = self.limits.idle.and_then(|limit| self.last_heard.checked_add(limit));
        match (deadline, idle) {
            (Some(deadline), Some(idle)) if idle < deadline => Some((idle, Ended::Idle)),
            (Some(deadline), _) => Some((deadline, Ended::Deadline)),
            (None, idle) => idle.map(|at| (at, Ended::Idle)),
        }
    }

    /// The child said something.
    pub(crate) fn heard(&mut self, now: Instant) {
        self.last_heard = now;
    }

    /// The child itself has ended, by its own doing `so` unless the ladder was at work.
    pub(crate) fn ended(&mut self, so: Ended, now: Instant) {
        let (why, rung) = match self.stage {
            Stage::Working => (so, None),
            Stage::Terminating { why, .. } => (why, Some(Rung::Term)),
            Stage::Killing { why, .. } => (why, Some(Rung::Kill)),
            // A child ends once.
            Stage::Draining { .. } | Stage::Over(_) => return,
        };
        self.stage = Stage::Draining { why, rung, until: now + DRAIN };
    }

    /// The time that `next_timer` gave has come; says which signal the group gets.
    pub(crate) fn timer_fired(&mut self, now: Instant) -> Option<Signal> {
        match self.stage {
            Stage::Working => self.limit().map(|(_, why)| self.terminate(why, now)),
            Stage::Terminating { why, .. } => Some(self.kill(why, now)),
            Stage::Killing { why, .. } => {
                let rung = Some(Rung::Kill);
                self.stage = Stage::Over(Verdict { why, rung, reaped: false });
                None
            }
            Stage::Draining { why, rung, .. } => {
                self.stage = Stage::Over(Verdict { why, rung, reaped: true });
                None
            }
            Stage::Over(_) => None,
        }
    }

    /// The caller has cancelled so many times by now: the first time gives a grace, the second
    /// does not.
    pub(crate) fn cancelled(&mut self, times: u32, now: Instant) -> Option<Signal> {
        self.cancels = times;
        match self.stage {
            Stage::Working if times > 1 => Some(self.kill(Ended::Cancelled, now)),
            Stage::Working => Some(self.terminate(Ended::Cancelled, now)),
            Stage::Terminating { why, .. } if times > 1 => Some(self.kill(why, now)),
            Stage::Terminating { .. }
            | Stage::Killing { .. }
            | Stage::Draining { .. }
            | Stage::Over(_) => None,
        }
    }

    fn terminate(&mut self, why: Ended, now: Instant) -> Signal {
        // A grace beyond the end of time is cut to none.
        let kill_at = now.checked_add(self.limits.grace).unwrap_or(now);
        self.stage = Stage::Terminating { why, kill_at };
        Signal::TERM
    }

    fn kill(&mut self, why: Ended, now: Instant) -> Signal {
        self.stage = Stage::Killing { why, give_up_at: now + KILL_PATIENCE };
        Signal::KILL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Happens {
        Heard,
        Timer,
        Cancelled(u32),
        Exits,
    }
    use Happens::{Cancelled, Exits, Heard, Timer};

    /// Plays a child with a deadline of 10 s, an idle limit of 4 s and a grace of 3 s: at each
    /// second given, something happens and may make a signal.
    fn check(
        story: &[(u64, Happens, Option<Signal>)],
        why: Ended,
        rung: Option<Rung>,
        reaped: bool,
    ) {
        let start = Instant::now();
        let limits = Limits {
            deadline: Some(Duration::from_secs(10)),
            idle: Some(Duration::from_secs(4)),
            ..Limits::default()
        };
        let mut ladder = Ladder::new(limits, start);
        for (second, happens, expected) in story {
            let now = start + Duration::from_secs(*second);
            assert_eq!(ladder.verdict(false), None, "at {second} s");
            let signal = match happens {
                Heard => {
                    ladder.heard(now);
                    None
                }
                Timer => {
                    assert_eq!(ladder.next_timer(), Some(now), "at {second} s");
                    ladder.timer_fired(now)
                }
                Cancelled(times) => ladder.cancelled(*times, now),
                Exits => {
                    ladder.ended(Ended::Exited(0), now);
                    None
                }
            };
            assert_eq!(signal, *expected, "at {second} s");
        }
        assert_eq!(ladder.verdict(true), Some(Verdict { why, rung, reaped }));
    }

    #[test]
    fn a_child_is_ended_rung_by_rung() {
        const TERM: Option<Signal> = Some(Signal::TERM);
        const KILL: Option<Signal> = Some(Signal::KILL);
        let (term, kill) = (Some(Rung::Term), Some(Rung::Kill));
        check(&[(2, Exits, None)], Ended::Exited(0), None, true);
        check(&[(4, Timer, TERM), (5, Exits, None)], Ended::Idle, term, true);
        check(
            &[(3, Heard, None), (7, Timer, TERM), (10, Timer, KILL), (11, Exits, None)],
            Ended::Idle,
            kill,
            true,
        );
        check(
            &[
                (3, Heard, None),
                (6, Heard, None),
                (9, Heard, None),
                (10, Timer, TERM),
                (11, Exits, None),
            ],
            Ended::Deadline,
            term,
            true,
        );
        check(&[(1, Cancelled(1), TERM), (2, Exits, None)], Ended::Cancelled, term, true);
        check(
            &[(1, Cancelled(1), TERM), (2, Cancelled(2), KILL), (3, Exits, None)],
            Ended::Cancelled,
            kill,
            true,
        );
        check(&[(1, Cancelled(2), KILL), (2, Exits, None)], Ended::Cancelled, kill, true);
        check(
            &[(4, Timer, TERM), (5, Cancelled(1), None), (6, Cancelled(2), KILL), (7, Exits, None)],
            Ended::Idle,
            kill,
            true,
        );
        check(
            &[(4, Timer, TERM), (7, Timer, KILL), (8, Cancelled(3), None), (12, Timer, None)],
            Ended::Idle,
            kill,
            false,
        );
        check(
            &[(2, Exits, None), (2, Cancelled(2), None), (2, Heard, None)],
            Ended::Exited(0),
            None,
            true,
        );
    }

    #[test]
    fn open_pipes_are_drained_for_half_a_second() {
        let start = Instant::now();
        let mut ladder = Ladder::new(Limits::default(), start);
        assert_eq!(ladder.next_timer(), None);
        ladder.ended(Ended::Exited(0), start);
        assert!(ladder.is_draining() && ladder.verdict(false).is_none());
        assert_eq!(ladder.next_timer(), Some(start + Duration::from_millis(500)));
        assert_eq!(ladder.timer_fired(start + DRAIN), None);
        let reaped = Verdict { why: Ended::Exited(0), rung: None, reaped: true };
        assert_eq!(ladder.verdict(false), Some(reaped));
    }
}
