//! The three calls of a cycle: the check, the diagnostician, the worker.

use super::at::{At, Launch, Then};
use super::machine::{CHECK, DIAGNOSE, FIX, Move, Next, call, ordered};
use crate::plan::Tree;
use crate::{Access, CallId, Effect, Failure, Fault, Heard, Refusal, Role, SnapReason, What};

impl At {
    /// What it waits for, in words.
    pub(super) fn awaited(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Securing { .. }
            | Self::Proving { .. }
            | Self::Comparing { .. }
            | Self::Settling { .. }
            | Self::Measuring { .. }
            | Self::Salvaging { .. } => ("a goal that takes a snapshot", &["snapped"]),
            Self::Checking(open, _) => match open.launch {
                Launch::Ordered => ("a goal that starts its check", &["launched"]),
                Launch::Started => ("a goal whose check runs", &["ran"]),
            },
            Self::Diagnosing(open, _) | Self::Fixing(open, _) => match open.launch {
                Launch::Ordered => ("a goal that asks an agent", &["launched"]),
                Launch::Started => ("a goal whose agent is at work", &["replied"]),
            },
            Self::Reading(..) => ("a goal that reads its check", &["computed"]),
            Self::Interpreting(..) => ("a goal that reads a diagnosis", &["computed"]),
            Self::Weighing { .. } => ("a goal that weighs a fix", &["computed"]),
            Self::Restoring { .. } => ("a goal that puts the tree back", &["restored"]),
        }
    }
}

impl Move<'_> {
    pub(super) fn check(mut self, tree: Tree, attempt: u32) -> Next {
        let call = call(CHECK, self.run.cycle, 1);
        self.effects.push(Effect::Run { call: call.clone(), attempt });
        self.go(At::Checking(ordered(call, attempt), tree))
    }

    pub(super) fn diagnose(mut self, tree: Tree, turn: u32, attempt: u32) -> Next {
        let call = call(DIAGNOSE, self.run.cycle, turn);
        self.effects.push(Effect::Ask {
            call: call.clone(),
            attempt,
            role: Role::Diagnostician,
            access: Access::ReadOnly,
        });
        self.go(At::Diagnosing(ordered(call, attempt), tree))
    }

    pub(super) fn fix(mut self, tree: Tree, turn: u32, attempt: u32) -> Next {
        let call = call(FIX, self.run.cycle, turn);
        self.effects.push(Effect::Ask {
            call: call.clone(),
            attempt,
            role: Role::Worker,
            access: Access::Write,
        });
        self.go(At::Fixing(ordered(call, attempt), tree))
    }

    pub(super) fn launched(
        mut self,
        what: &What,
        launched: &CallId,
        attempt: u32,
    ) -> Result<Next, Refusal> {
        let refusal = self.refuse(what);
        let (At::Checking(open, _) | At::Diagnosing(open, _) | At::Fixing(open, _)) =
            &mut self.run.at
        else {
            return Err(refusal);
        };
        if open.call != *launched || open.attempt != attempt || open.launch != Launch::Ordered {
            return Err(refusal);
        }
        open.launch = Launch::Started;
        let at = self.run.at.clone();
        Ok(self.go(at))
    }

    pub(super) fn ran(mut self, what: &What, ran: &CallId) -> Result<Next, Refusal> {
        let At::Checking(open, tree) = self.run.at.clone() else { return Err(self.refuse(what)) };
        if open.call != *ran || open.launch != Launch::Started {
            return Err(self.refuse(what));
        }
        self.compute(&open.call);
        Ok(self.go(At::Reading(open.call, tree)))
    }

    pub(super) fn replied(
        mut self,
        what: &What,
        replied: &CallId,
        heard: &Heard,
    ) -> Result<Next, Refusal> {
        let at = self.run.at.clone();
        let (At::Diagnosing(open, _) | At::Fixing(open, _)) = &at else {
            return Err(self.refuse(what));
        };
        if open.call != *replied || open.launch != Launch::Started {
            return Err(self.refuse(what));
        }
        let call = open.call.clone();
        match at {
            At::Diagnosing(_, tree) => {
                let snapshot = self.snap(SnapReason::After);
                Ok(self.go(At::Comparing { call, heard: heard.clone(), tree, snapshot }))
            }
            At::Fixing(_, tree) => Ok(self.worker_ended(call, tree, heard)),
            At::Securing { .. }
            | At::Checking(..)
            | At::Reading(..)
            | At::Proving { .. }
            | At::Comparing { .. }
            | At::Settling { .. }
            | At::Interpreting(..)
            | At::Measuring { .. }
            | At::Weighing { .. }
            | At::Salvaging { .. }
            | At::Restoring { .. } => Err(self.refuse(what)),
        }
    }

    /// A worker that failed may have left anything: it is kept, and the tree put back (D42).
    fn worker_ended(mut self, call: CallId, tree: Tree, heard: &Heard) -> Next {
        match heard {
            Heard::Said(_) => {
                let snapshot = self.snap(SnapReason::After);
                self.go(At::Measuring { call, tree, snapshot })
            }
            Heard::Fault(fault @ Fault::NotStarted) => {
                self.fail(call, Failure::Agent { fault: fault.clone(), kept: None })
            }
            Heard::Fault(fault) => {
                let snapshot = self.snap(SnapReason::Left);
                let failure = Failure::Agent { fault: fault.clone(), kept: Some(snapshot) };
                let then = Then::Fail(call.clone(), failure);
                self.go(At::Salvaging { call, tree, snapshot, then })
            }
        }
    }

    /// What the worker changed was held against its bounds (D24).
    pub(super) fn weighed(self, call: &CallId, before: Tree, left: Tree, refused: bool) -> Next {
        if !(refused && self.policy.strict) {
            return self.next_cycle(left);
        }
        let then = match call.turn {
            1 => Then::Fix { turn: 2, attempt: 1 },
            _ => Then::Check,
        };
        self.put_back(before, left, then)
    }
}
