//! Random plans and events, drawn from a tape of numbers.

use tribunal_finding::{FindingId, Severity};
use tribunal_phase::cycle::{Decision, Policy, Reason};
use tribunal_phase::plan::{Node, Plan, Repeat, Step, Work};
use tribunal_phase::{
    Access, ArtifactId, Balloted, CallId, Done, Fact, Failure, Fault, FrameId, Guarded, Heard,
    Rated, Role, SnapshotId, Sought, StepId, Timer, TreeId, Usage, What,
};
use tribunal_verdict::Class;

use crate::told::Offer;

/// Numbers to draw from; after the last one they go on by themselves.
pub(crate) struct Tape {
    numbers: Vec<u32>,
    at: usize,
}

impl Tape {
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        Self { numbers, at: 0 }
    }

    pub(crate) fn seeded(seed: u32) -> Self {
        Self::new(vec![seed.wrapping_mul(2_654_435_761), seed])
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        let number = match self.numbers.get(self.at) {
            Some(number) => *number,
            None => {
                let last = self.numbers.last().copied().unwrap_or(0);
                let next = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                self.numbers.push(next);
                next
            }
        };
        self.at += 1;
        (number >> 8) as usize % count
    }

    fn chance(&mut self, of_ten: usize) -> bool {
        self.pick(10) < of_ten
    }

    fn among<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.pick(all.len())].clone()
    }

    /// An audit in its right order, or steps in any order.
    pub(crate) fn plan(&mut self) -> Plan {
        let nodes = if self.chance(6) { self.audit() } else { self.any_order() };
        let policy = Policy::new(1, 3, true).ok();
        let cycle_timeout = self.chance(5).then_some(900_000);
        Plan { nodes, policy, cycle_timeout, keep_tree: self.chance(2) }
    }

    fn audit(&mut self) -> Vec<Node> {
        let validators =
            (1..=3).map(|n| self.step(&format!("v{n}"), ask(Role::Validator(n)))).collect();
        let native = Work::Native { gives: None };
        let fix = if self.chance(3) {
            // A fixer beside somebody who only looks.
            Node::Group(vec![
                self.step("fix", ask(Role::Fixer)),
                self.step("look", ask(Role::Summarizer)),
            ])
        } else {
            let steps = vec![self.step("fix", ask(Role::Fixer)), self.step("judge", native)];
            Node::Repeat(Repeat { id: StepId::new("again"), steps, max: 2 })
        };
        vec![
            Node::Step(self.step("seek", ask(Role::Seeker))),
            Node::Group(validators),
            Node::Step(self.step("merge", native)),
            fix,
            Node::Step(self.step("judge-again", native)),
            Node::Step(self.step("decide", native)),
            Node::Step(self.step("recurse", Work::Recurse)),
            Node::Step(self.step("summary", ask(Role::Summarizer))),
        ]
    }

    fn any_order(&mut self) -> Vec<Node> {
        let count = 1 + self.pick(6);
        (0..count).map(|n| self.node(n)).collect()
    }

    fn node(&mut self, n: usize) -> Node {
        match self.pick(6) {
            0 => {
                let steps = (0..=self.pick(3)).map(|m| self.child(&format!("g{n}-{m}"))).collect();
                Node::Group(one_writer(steps))
            }
            1 => {
                let steps = (0..=self.pick(2)).map(|m| self.any(&format!("r{n}-{m}"))).collect();
                let max = 1 + u32::try_from(self.pick(3)).expect("small");
                Node::Repeat(Repeat { id: StepId::new(format!("until{n}")), steps, max })
            }
            _ => Node::Step(self.any(&format!("s{n}"))),
        }
    }

    fn any(&mut self, id: &str) -> Step {
        match self.pick(5) {
            0 => self.step(id, Work::Native { gives: None }),
            1 => self.step(id, Work::Recurse),
            _ => self.child(id),
        }
    }

    fn child(&mut self, id: &str) -> Step {
        let role = self.among(&[
            Role::Seeker,
            Role::Validator(1),
            Role::Fixer,
            Role::Worker,
            Role::Summarizer,
            Role::Evaluator,
        ]);
        let access = self.among(&[Access::ReadOnly, Access::Write]);
        let work = if self.chance(3) { Work::Run { access } } else { ask(role) };
        self.step(id, work)
    }

    fn step(&mut self, id: &str, work: Work) -> Step {
        let (guarded, lenient) = (self.chance(3), self.chance(3));
        Step { id: StepId::new(id), guarded, lenient, work }
    }

    /// Mostly an event that fits, sometimes any other.
    pub(crate) fn event(&mut self, offers: &[Offer]) -> What {
        // A pause is always on offer, and seldom taken.
        let pauses = |offer: &&Offer| matches!(offer, Offer::Timer(_));
        let (pause, work): (Vec<&Offer>, Vec<&Offer>) = offers.iter().partition(pauses);
        let offer = match self.pick(12) {
            0 => self.strange_offer(),
            1 if !pause.is_empty() => self.among(&pause).clone(),
            _ if work.is_empty() => self.strange_offer(),
            _ => self.among(&work).clone(),
        };
        self.answer(&offer)
    }

    fn strange_offer(&mut self) -> Offer {
        let steps = ["seek", "v1", "v2", "fix", "judge", "merge", "again", "s0", "g0-0", "until1"];
        let step = StepId::new(self.among(&steps));
        let frame = FrameId(self.among(&[1, 1, 2]));
        let call = CallId { frame, step, turn: self.among(&[1, 1, 2]) };
        let snapshot = SnapshotId(u32::try_from(1 + self.pick(8)).expect("small"));
        match self.pick(11) {
            0 => Offer::Begin,
            1 | 2 => Offer::Resume,
            3 => Offer::Guard(call),
            4 => Offer::Launch(call, 1),
            5 => Offer::Reply(call),
            6 => Offer::Exit(call),
            7 => Offer::Snap(snapshot),
            8 => Offer::Restore(snapshot),
            9 => Offer::Keep(call),
            _ => Offer::Compute(call),
        }
    }

    fn answer(&mut self, offer: &Offer) -> What {
        let artifact = || ArtifactId::new("a");
        match offer.clone() {
            Offer::Begin => What::Began,
            Offer::Resume => What::Resumed,
            Offer::Guard(call) => {
                let go = [Guarded::Go, Guarded::Go, Guarded::Go, Guarded::Skip, Guarded::Skip];
                let answer = if self.pick(40) == 0 { Guarded::Bad } else { self.among(&go) };
                What::Guarded { call, answer }
            }
            Offer::Launch(call, attempt) => {
                let attempt = if self.pick(20) == 0 { attempt + 1 } else { attempt };
                What::Launched { call, attempt, prompt: artifact() }
            }
            Offer::Reply(call) => {
                let heard = self.heard();
                What::Replied { call, heard, usage: Usage::default(), reply: Some(artifact()) }
            }
            Offer::Exit(call) => {
                let exit = self.among(&[Some(0), Some(0), Some(0), Some(1), None]);
                What::Ran { call, exit, output: artifact() }
            }
            Offer::Snap(snapshot) => {
                let tree = TreeId::new(self.among(&["t", "t", "t", "t", "u"]));
                What::Snapped { snapshot, tree }
            }
            Offer::Restore(snapshot) => What::Restored { snapshot },
            Offer::Keep(call) => What::Kept { call, place: "p".to_owned() },
            Offer::Compute(call) => What::Computed { done: self.done(&call), call },
            Offer::Timer(frame) if self.chance(2) => {
                What::TimerFired { timer: Timer::Cycle(frame) }
            }
            Offer::Timer(_) => What::Interrupted { signal: self.among(&[2, 15]) },
        }
    }

    fn heard(&mut self) -> Heard {
        let said = [Class::Parsed, Class::Parsed, Class::Empty, Class::Unparseable];
        match self.pick(16) {
            0 => Heard::Fault(self.among(&[Fault::Exit(1), Fault::NotStarted, Fault::Deadline])),
            _ => Heard::Said(self.among(&said)),
        }
    }

    fn done(&mut self, call: &CallId) -> Done {
        if self.pick(40) == 0 {
            return Done::Failed(self.among(&[Failure::Contract, Failure::Gate, Failure::Recipe]));
        }
        let mut facts = self.facts(call);
        if self.pick(40) == 0 {
            facts.push(self.fact());
        }
        Done::Gave { facts, digest: ArtifactId::new("d") }
    }

    /// What such a call gives when all is well.
    fn facts(&mut self, call: &CallId) -> Vec<Fact> {
        match call.step.as_str() {
            "seek" => vec![found()],
            "v1" | "v2" | "v3" => vec![Fact::Balloted {
                validator: call.step.as_str().as_bytes()[1] - b'0',
                ballot: self.among(&[Balloted::Usable, Balloted::Usable, Balloted::Unparseable]),
            }],
            "merge" => vec![tallied()],
            "fix" => vec![Fact::Reported { readable: true }],
            "judge" | "judge-again" => vec![judged()],
            "decide" => vec![Fact::Decided(self.decision(call.frame.0))],
            _ => Vec::new(),
        }
    }

    fn decision(&mut self, cycle: u32) -> Decision {
        if cycle < 3 && self.chance(6) {
            Decision::Continue { next: cycle + 1, reason: Reason::MinCycles }
        } else {
            Decision::Stop { reason: Reason::MaxCycles }
        }
    }

    fn fact(&mut self) -> Fact {
        match self.pick(7) {
            0 => found(),
            1 => Fact::Balloted { validator: 1, ballot: Balloted::Failed },
            2 => tallied(),
            3 => Fact::Reported { readable: false },
            4 => judged(),
            5 => Fact::Chronicled,
            _ => Fact::Decided(self.decision(1)),
        }
    }
}

fn ask(role: Role) -> Work {
    Work::Ask { role, access: role.access() }
}

/// A recipe with two writers in one group is refused when it is read.
fn one_writer(steps: Vec<Step>) -> Vec<Step> {
    let mut has_writer = false;
    let mut kept = Vec::new();
    for step in steps {
        let writes = step.work.access() == Some(Access::Write);
        if !(writes && has_writer) {
            has_writer |= writes;
            kept.push(step);
        }
    }
    kept
}

fn id() -> FindingId {
    FindingId::new("F1").expect("not blank")
}

fn found() -> Fact {
    Fact::Found { sought: vec![Sought { id: id(), new: true }], carried: Vec::new() }
}

fn tallied() -> Fact {
    Fact::Tallied { confirmed: vec![Rated { id: id(), severity: Severity::High }] }
}

fn judged() -> Fact {
    Fact::Judged { fixed: vec![id()], skipped: Vec::new(), unaccounted: Vec::new(), passed: true }
}
