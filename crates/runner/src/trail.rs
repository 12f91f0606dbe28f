//! What a run's records say about the tree: where its writes began, and what each of them left.

use tribunal_phase::plan::Plan;
use tribunal_phase::{Access, CallId, SnapshotId, What};
use tribunal_record::{Body, Note, Record, Way};

use crate::tree::Trees;

/// The trace of a run in the tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    /// States by the snapshots that hold them.
    pub(crate) trees: Trees,
    /// The writes, in order. What changed between two of them is not the run's, but the user's.
    pub(crate) writes: Vec<Write>,
    /// How far an isolated run was brought over.
    pub(crate) applying: Applying,
    /// How far the run was undone.
    pub(crate) undoing: Undoing,
}

/// One call, or several at once, that may change the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    /// The call, the first of those that were started at once.
    pub(crate) call: CallId,
    /// The state before it.
    pub(crate) before: SnapshotId,
    /// The state that it left; as long as it is at work, the one before.
    pub(crate) left: SnapshotId,
    /// The run stopped in the midst of it, or has not: what it did is in no snapshot.
    pub(crate) at_work: bool,
}

/// How far an isolated run was brought over to the user's work tree, whose snapshots these are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Applying {
    /// Nobody began to, or it was refused.
    #[default]
    No,
    /// It was begun and did not come to its end.
    HalfWay { replaced: SnapshotId, way: Way },
    /// It was applied.
    Done { replaced: SnapshotId, left: SnapshotId },
}

/// How far a run was undone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Undoing {
    /// Nobody began to.
    #[default]
    No,
    /// It was begun and did not come to its end.
    HalfWay { to: SnapshotId, replaced: SnapshotId },
    /// It was undone.
    Done { replaced: SnapshotId },
}

impl Trail {
    /// Reads it from the records.
    pub(crate) fn of(records: &[Record], plan: &Plan) -> Self {
        let mut trail = Self::default();
        let mut now = None;
        for record in records {
            match &record.body {
                Body::Event(event) => match &event.what {
                    What::Snapped { snapshot, tree } => {
                        trail.trees.insert(*snapshot, tree.clone());
                        now = Some(*snapshot);
                        trail.snapped(*snapshot);
                    }
                    What::Restored { snapshot } => {
                        now = Some(*snapshot);
                        trail.restored(*snapshot);
                    }
                    What::Launched { call, .. } if may_write(plan, call) => {
                        trail.launched(call, now);
                    }
                    What::Began
                    | What::Resumed
                    | What::Guarded { .. }
                    | What::Launched { .. }
                    | What::Replied { .. }
                    | What::Ran { .. }
                    | What::Kept { .. }
                    | What::Computed { .. }
                    | What::TimerFired { .. }
                    | What::Interrupted { .. }
                    | What::Asked(_)
                    | What::Compared { .. } => {}
                },
                Body::Note(Note::Undoing { to, replaced, tree }) => {
                    trail.trees.insert(*replaced, tree.clone());
                    trail.undoing = Undoing::HalfWay { to: *to, replaced: *replaced };
                }
                Body::Note(Note::Undone { .. }) => {
                    if let Undoing::HalfWay { replaced, .. } = trail.undoing {
                        trail.undoing = Undoing::Done { replaced };
                    }
                }
                Body::Note(note) => trail.brought(note),
                Body::Refused { .. } => {}
            }
        }
        trail
    }

    fn brought(&mut self, note: &Note) {
        match note {
            Note::Applying { replaced, tree, way } => {
                self.trees.insert(*replaced, tree.clone());
                self.applying = Applying::HalfWay { replaced: *replaced, way: *way };
            }
            Note::Applied { left, tree } => {
                self.trees.insert(*left, tree.clone());
                if let Applying::HalfWay { replaced, .. } = self.applying {
                    self.applying = Applying::Done { replaced, left: *left };
                }
            }
            Note::NotApplied => self.applying = Applying::No,
            _ => {}
        }
    }

    /// The first snapshot after a write is of what it left.
    fn snapped(&mut self, snapshot: SnapshotId) {
        if let Some(write) = self.writes.last_mut().filter(|write| write.at_work) {
            write.left = snapshot;
            write.at_work = false;
        }
    }

    /// A write that did not end well was put back; other calls have snapshots of their own.
    fn restored(&mut self, snapshot: SnapshotId) {
        if let Some(write) = self.writes.last_mut().filter(|write| write.before == snapshot) {
            write.left = snapshot;
        }
    }

    fn launched(&mut self, call: &CallId, now: Option<SnapshotId>) {
        // The machine launches nothing before a snapshot.
        let Some(now) = now else { return };
        if self.writes.last().is_none_or(|write| !write.at_work) {
            self.writes.push(Write { call: call.clone(), before: now, left: now, at_work: true });
        }
    }

    /// The state before the first write and the one that the last write left, where they differ or
    /// may differ.
    pub(crate) fn written(&self) -> Option<(SnapshotId, &Write)> {
        let (first, last) = (self.writes.first()?, self.writes.last()?);
        let same = self.trees.get(&first.before) == self.trees.get(&last.left);
        (last.at_work || !same).then_some((first.before, last))
    }

    /// What each write left, and what the next one found: where they differ, the user was at work.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (SnapshotId, SnapshotId)> {
        let pairs = self.writes.iter().zip(self.writes.iter().skip(1));
        let gaps = pairs.map(|(earlier, later)| (earlier.left, later.before));
        gaps.filter(|(left, found)| self.trees.get(left) != self.trees.get(found))
    }

    /// The number that the next snapshot gets.
    pub(crate) fn next_snapshot(&self) -> SnapshotId {
        SnapshotId(self.trees.keys().next_back().map_or(1, |last| last.0 + 1))
    }
}

/// With `--keep-tree` nothing is put back, so that every call may write.
fn may_write(plan: &Plan, call: &CallId) -> bool {
    let step = plan.steps().find(|step| step.id == call.step);
    plan.keep_tree || step.and_then(|step| step.work.access()) == Some(Access::Write)
}

#[cfg(test)]
mod tests {
    use tribunal_phase::plan::{Node, Step, Work};
    use tribunal_phase::{ArtifactId, Event, Role, StepId, TreeId};

    use super::*;

    fn plan(keep_tree: bool) -> Plan {
        let step = |id: &str, role: Role| {
            let work = Work::Ask { role, access: role.access() };
            Node::Step(Step { id: StepId::new(id), guarded: false, lenient: false, work })
        };
        let nodes = vec![step("seek", Role::Seeker), step("fix", Role::Fixer)];
        Plan { nodes, policy: None, cycle_timeout: None, keep_tree }
    }

    /// `3=b`: snapshot 3 is of state b; `<3`: put back to it; `undoing 3 9`; else a call is launched.
    fn records(story: &str) -> Vec<Record> {
        let bodies = story.split(", ").map(|word| {
            let snapshot = |text: &str| SnapshotId(text.parse().expect("a number"));
            let event = |what| Body::Event(Event { at: 0, what });
            if let Some((number, tree)) = word.split_once('=') {
                event(What::Snapped { snapshot: snapshot(number), tree: TreeId::new(tree) })
            } else if let Some(number) = word.strip_prefix('<') {
                event(What::Restored { snapshot: snapshot(number) })
            } else if let Some(numbers) = word.strip_prefix("undoing ") {
                let (to, replaced) = numbers.split_once(' ').expect("two numbers");
                let (to, replaced) = (snapshot(to), snapshot(replaced));
                Body::Note(Note::Undoing { to, replaced, tree: TreeId::new("z") })
            } else if word == "undone" {
                Body::Note(Note::Undone { to: SnapshotId(1) })
            } else {
                let call = format!("1/{word}/1").parse().expect("a call");
                event(What::Launched { call, attempt: 1, prompt: ArtifactId::new("p") })
            }
        });
        bodies.zip(1..).map(|(body, seq)| Record { seq, time: 0, body }).collect()
    }

    fn check(story: &str, keep_tree: bool, written: &str, gaps: &[(u32, u32)]) {
        let trail = Trail::of(&records(story), &plan(keep_tree));
        let found = trail.written().map_or_else(String::new, |(before, last)| {
            let at_work = last.at_work.then(|| format!(", {} at work", last.call));
            format!("{before} to {}{}", last.left, at_work.unwrap_or_default())
        });
        assert_eq!(found, written, "{story}");
        let found: Vec<(u32, u32)> = trail.gaps().map(|(left, now)| (left.0, now.0)).collect();
        assert_eq!(found, gaps, "{story}");
    }

    #[test]
    fn a_run_wrote_what_lies_between_its_first_and_its_last_write() {
        let once = "1=a, seek, 2=a, 3=a, fix, 4=b, 5=b, seek, 6=b";
        check(once, false, "3 to 4", &[]);
        check(once, true, "1 to 6", &[]);
        check("1=a, seek, 2=a", false, "", &[]);
        check("1=a, fix, 2=a", false, "", &[]);
        check("1=a, fix, 2=b, 3=b, fix, 4=c", false, "1 to 4", &[]);
        check("1=a, fix, 2=b, 3=b, fix, 4=a", false, "", &[]);
    }

    #[test]
    fn a_write_that_did_not_end_is_at_work() {
        check("1=a, fix", false, "1 to 1, 1/fix/1 at work", &[]);
        check("1=a, fix, 2=b, 3=b, fix", false, "1 to 3, 1/fix/1 at work", &[]);
        check("1=a, seek", false, "", &[]);
        // Its half was put back when the run went on.
        check("1=a, fix, 2=x, <1", false, "", &[]);
        check("1=a, fix, 2=x, <1, fix, 3=b", false, "1 to 3", &[]);
        check("1=a, fix, 2=x, <1, fix", false, "1 to 1, 1/fix/1 at work", &[]);
    }

    #[test]
    fn what_changed_between_writes_is_the_users() {
        check("1=a, fix, 2=b, 3=u, fix, 4=c", false, "1 to 4", &[(2, 3)]);
        check("1=a, fix, 2=b, seek, 3=u, 4=v, fix, 5=c", false, "1 to 5", &[(2, 4)]);
        // After the last write it is seen in the tree itself.
        check("1=a, fix, 2=b, 3=b, seek, 4=u, 5=v", false, "1 to 2", &[]);
        // A call that may not write was put back; the state before it was not the fixer's.
        check("1=a, fix, 2=b, 3=u, seek, 4=x, 5=x, <3", false, "1 to 2", &[]);
    }

    #[test]
    fn an_undone_run_has_both_states_on_record() {
        let ended = "1=a, fix, 2=b";
        for (story, undoing, next) in [
            (ended.to_owned(), Undoing::No, 3),
            (
                format!("{ended}, undoing 1 3"),
                Undoing::HalfWay { to: SnapshotId(1), replaced: SnapshotId(3) },
                4,
            ),
            (format!("{ended}, undoing 1 3, undone"), Undoing::Done { replaced: SnapshotId(3) }, 4),
        ] {
            let trail = Trail::of(&records(&story), &plan(false));
            assert_eq!(trail.undoing, undoing, "{story}");
            assert_eq!(trail.next_snapshot(), SnapshotId(next), "{story}");
        }
    }
}
