//! Signals, and going on after them.

use super::at::{At, Due, Launch, Open, Then};
use super::machine::{Move, Next, ordered};
use crate::plan::Tree;
use crate::{Access, Effect, Pause, Role, SnapReason};

impl Move<'_> {
    pub(super) fn pause(mut self, pause: Pause) -> Next {
        if let At::Checking(open, _) | At::Diagnosing(open, _) | At::Fixing(open, _) = &self.run.at
        {
            self.effects.push(Effect::End(vec![open.call.clone()]));
        }
        self.stop(pause)
    }

    /// Goes on: all that the state still owes falls due again.
    pub(super) fn resume(mut self) -> Next {
        let at = self.run.at.clone();
        let snap = |snapshot, why| Effect::Snap { snapshot, why };
        let owed = match &at {
            At::Checking(open, _) => {
                let attempt = open.next_attempt();
                return self.look_first(Due::Check { attempt });
            }
            At::Diagnosing(open, _) => {
                let (turn, attempt) = (open.call.turn, open.next_attempt());
                return self.look_first(Due::Diagnose { turn, attempt });
            }
            At::Fixing(open, tree) => return self.resume_fix(open.clone(), tree.clone()),
            At::Securing { snapshot, .. } => snap(*snapshot, SnapReason::Before),
            At::Proving { snapshot, .. }
            | At::Comparing { snapshot, .. }
            | At::Measuring { snapshot, .. } => snap(*snapshot, SnapReason::After),
            At::Settling { snapshot, .. } => snap(*snapshot, SnapReason::Still),
            At::Salvaging { snapshot, .. } => snap(*snapshot, SnapReason::Left),
            At::Restoring { tree, .. } => Effect::Restore(tree.snapshot),
            At::Reading(call, _) | At::Interpreting(call, _) | At::Weighing { call, .. } => {
                self.compute(&call.clone());
                return self.go(at);
            }
        };
        self.effects.push(owed);
        self.go(at)
    }

    /// Whoever changed the tree while the run was down, nobody can be blamed for it: what starts is
    /// measured against what is there now.
    fn look_first(mut self, due: Due) -> Next {
        let snapshot = self.snap(SnapReason::Before);
        self.go(At::Securing { snapshot, due })
    }

    /// A fix that was under way is undone before it is asked for again; one that was only ordered
    /// has changed nothing.
    fn resume_fix(mut self, open: Open, tree: Tree) -> Next {
        let Open { call, attempt, launch } = open;
        match launch {
            Launch::Started => {
                let snapshot = self.snap(SnapReason::Left);
                let then = Then::Fix { turn: call.turn, attempt: attempt + 1 };
                self.go(At::Salvaging { call, tree, snapshot, then })
            }
            Launch::Ordered => {
                self.effects.push(Effect::Ask {
                    call: call.clone(),
                    attempt,
                    role: Role::Worker,
                    access: Access::Write,
                });
                self.go(At::Fixing(ordered(call, attempt), tree))
            }
        }
    }
}

impl Open {
    /// The launch that comes next: the same one if no child was started.
    fn next_attempt(&self) -> u32 {
        match self.launch {
            Launch::Ordered => self.attempt,
            Launch::Started => self.attempt + 1,
        }
    }
}
