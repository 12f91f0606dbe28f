//! The machine against a small world that answers its effects.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use tribunal_finding::{FindingId, Severity};
use tribunal_verdict::Class;

use super::*;
use crate::cycle::{self, Decision, Policy, decide};
use crate::{
    ArtifactId, Balloted, CallId, Contract, Done, Effect, Event, Fact, FactKind, Failure, Fault,
    Guarded, Heard, Machine, Native, Outcome, Pause, Rated, Role, SnapReason, SnapshotId, Sought,
    StepId, TreeId, Usage, What,
};

fn step(id: &str, guarded: bool, work: Work) -> Step {
    Step { id: StepId::new(id), guarded, lenient: false, work }
}

fn ask(role: Role) -> Work {
    Work::Ask { role, access: role.access() }
}

fn native(gives: FactKind) -> Work {
    Work::Native { gives: Some(gives) }
}

fn audit() -> Plan {
    let validator = |n: u8| step(&format!("validate-agent-{n}"), true, ask(Role::Validator(n)));
    Plan {
        nodes: vec![
            Node::Step(step("seek", false, ask(Role::Seeker))),
            Node::Group(vec![validator(1), validator(2), validator(3)]),
            Node::Step(step("merge-validations", false, native(FactKind::Tallied))),
            Node::Repeat(Repeat {
                id: StepId::new("fix-until-verified"),
                steps: vec![
                    step("fix", true, ask(Role::Fixer)),
                    step("verify-fixes", false, native(FactKind::Judged)),
                ],
                max: 2,
            }),
            Node::Step(step("accumulate-history", false, native(FactKind::Chronicled))),
            Node::Step(step("recurse-decision", false, native(FactKind::Decided))),
            Node::Step(step("run-recursive-cycle", true, Work::Recurse)),
            Node::Step(step("summary", true, ask(Role::Summarizer))),
        ],
        policy: Policy::new(1, 3, true).ok(),
        cycle_timeout: Some(900_000),
        keep_tree: false,
    }
}

/// What the world does; everything else goes well.
#[derive(Debug, Clone, Default)]
struct World {
    /// Findings in cycle 1 (later cycles find none).
    findings: usize,
    /// Judgements that fail before one passes.
    failing_turns: u32,
    /// A fault for the call of this step, once.
    fault: Option<(&'static str, Fault)>,
    /// Validators change the tree: how many of their waves do.
    writes: u32,
    /// The user edits while the tree is looked at again.
    user_edits: bool,
    tree: u32,
    after_snaps: u32,
    snapshots: BTreeMap<SnapshotId, u32>,
}

impl World {
    fn id(n: usize) -> FindingId {
        FindingId::new(&format!("F{n}")).expect("not blank")
    }

    /// The world as it stands after these events.
    fn after(mut self, events: &[Event]) -> Self {
        for event in events {
            if let What::Snapped { snapshot, tree } = &event.what {
                self.tree = tree.as_str().parse().expect("a number");
                self.snapshots.insert(*snapshot, self.tree);
            }
        }
        self
    }

    fn facts(&mut self, call: &CallId, native: &Native, state: &State) -> Vec<Fact> {
        let cycle = state.running().expect("running").frames.last().expect("a frame").cycle.clone();
        let findings = if cycle.cycle() == 1 { self.findings } else { 0 };
        let ids = || (0..findings).map(Self::id);
        match (native, call.step.as_str()) {
            (Native::Read(Contract::Findings), _) => vec![Fact::Found {
                sought: ids().map(|id| Sought { id, new: true }).collect(),
                carried: Vec::new(),
            }],
            (Native::Read(Contract::Ballot), step) => vec![Fact::Balloted {
                validator: step.as_bytes()[step.len() - 1] - b'0',
                ballot: Balloted::Usable,
            }],
            (Native::Read(Contract::FixReport), _) => vec![Fact::Reported { readable: true }],
            (Native::Step, "merge-validations") => vec![Fact::Tallied {
                confirmed: ids().map(|id| Rated { id, severity: Severity::Low }).collect(),
            }],
            (Native::Step, "verify-fixes") => {
                let passed = call.turn > self.failing_turns;
                let (fixed, unaccounted) =
                    if passed { (ids().collect(), vec![]) } else { (vec![], ids().collect()) };
                vec![Fact::Judged { fixed, skipped: vec![], unaccounted, passed }]
            }
            (Native::Step, "accumulate-history") => vec![Fact::Chronicled],
            (Native::Step, "recurse-decision") => {
                vec![Fact::Decided(decide(&cycle, audit().policy.expect("limits")))]
            }
            (Native::Step, other) => panic!("no such step: {other}"),
        }
    }

    fn guard(&self, call: &CallId, state: &State) -> Guarded {
        let cycle = &state.running().expect("running").frames.last().expect("a frame").cycle;
        let has_findings = cycle.cycle() == 1 && self.findings > 0;
        let goes_on = matches!(cycle.decision(), Some(Decision::Continue { .. }));
        let holds = match call.step.as_str() {
            "fix-until-verified" => match cycle.judged() {
                Some(cycle::Judged::Verdict { passed, .. }) => *passed,
                _ => true,
            },
            "run-recursive-cycle" => goes_on,
            "summary" => !goes_on,
            _ => has_findings,
        };
        if holds { Guarded::Go } else { Guarded::Skip }
    }

    #[expect(clippy::too_many_lines, reason = "one row per effect")]
    fn answer(&mut self, effect: &Effect, state: &State) -> Vec<What> {
        let artifact = || ArtifactId::new("a");
        match effect {
            Effect::Guard(call) => {
                vec![What::Guarded { call: call.clone(), answer: self.guard(call, state) }]
            }
            Effect::Ask { call, attempt, role, .. } => {
                let heard = match &self.fault {
                    Some((step, fault)) if *step == call.step.as_str() => {
                        Heard::Fault(fault.clone())
                    }
                    _ => Heard::Said(Class::Parsed),
                };
                if *role == Role::Fixer {
                    self.tree += 1;
                }
                vec![
                    What::Launched { call: call.clone(), attempt: *attempt, prompt: artifact() },
                    What::Replied {
                        call: call.clone(),
                        heard,
                        usage: Usage::default(),
                        reply: Some(artifact()),
                    },
                ]
            }
            Effect::Run { call, attempt } => vec![
                What::Launched { call: call.clone(), attempt: *attempt, prompt: artifact() },
                What::Ran { call: call.clone(), exit: Some(0), output: artifact() },
            ],
            Effect::Snap { snapshot, why } => {
                match why {
                    SnapReason::After => {
                        self.after_snaps += 1;
                        // The second group after the start is that of the validators.
                        if self.after_snaps >= 2 && self.writes > 0 {
                            self.writes -= 1;
                            self.tree += 100;
                        }
                    }
                    SnapReason::Still if self.user_edits => self.tree += 1000,
                    SnapReason::Still | SnapReason::Before | SnapReason::Left => {}
                }
                self.snapshots.insert(*snapshot, self.tree);
                let tree = TreeId::new(self.tree.to_string());
                vec![What::Snapped { snapshot: *snapshot, tree }]
            }
            Effect::Restore(snapshot) => {
                self.tree = self.snapshots[snapshot];
                vec![What::Restored { snapshot: *snapshot }]
            }
            Effect::Keep { call, .. } => {
                vec![What::Kept { call: call.clone(), place: "raw".to_owned() }]
            }
            Effect::Compute { call, native } => {
                let facts = self.facts(call, native, state);
                vec![What::Computed {
                    call: call.clone(),
                    done: Done::Gave { facts, digest: artifact() },
                }]
            }
            Effect::End(_)
            | Effect::Arm { .. }
            | Effect::Disarm(_)
            | Effect::Enter(_)
            | Effect::Leave(_)
            | Effect::Say(_)
            | Effect::Compare { .. }
            | Effect::Answer(_)
            | Effect::Finish(_) => Vec::new(),
        }
    }
}

/// Everything that a run did.
struct Trace {
    state: State,
    events: Vec<Event>,
    effects: Vec<Effect>,
}

fn name(effect: &Effect) -> String {
    match effect {
        Effect::Guard(call) => format!("guard {call}"),
        Effect::Ask { call, attempt: 1, .. } => format!("ask {call}"),
        Effect::Ask { call, attempt, .. } => format!("ask {call} attempt {attempt}"),
        Effect::Run { call, .. } => format!("run {call}"),
        Effect::End(calls) => {
            format!("end {}", calls.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        }
        Effect::Snap { why, .. } => format!("snap {why:?}").to_lowercase(),
        Effect::Restore(snapshot) => format!("restore {snapshot}"),
        Effect::Keep { call, .. } => format!("keep {call}"),
        Effect::Compute { call, .. } => format!("compute {call}"),
        Effect::Arm { left, .. } => format!("arm {left}"),
        Effect::Disarm(_) => "disarm".to_owned(),
        Effect::Compare { .. } => "compare".to_owned(),
        Effect::Answer(_) => "answer".to_owned(),
        Effect::Enter(frame) => format!("enter {frame}"),
        Effect::Leave(frame) => format!("leave {frame}"),
        Effect::Say(saying) => {
            format!("say {saying:?}").split([' ', '{']).take(2).collect::<Vec<_>>().join(" ")
        }
        Effect::Finish(outcome) => format!("finish {outcome:?}")
            .split(['(', ' '])
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase(),
    }
}

fn feed(plan: &Plan, trace: &mut Trace, what: What) -> Vec<Effect> {
    let event = Event { at: trace.events.len() as u64, what };
    let (state, effects) = plan.step(&trace.state, &event).expect("the event fits");
    trace.state = state;
    trace.events.push(event);
    trace.effects.extend(effects.clone());
    effects
}

fn play(plan: &Plan, world: &mut World, trace: &mut Trace, first: What) {
    let mut due: VecDeque<Effect> = feed(plan, trace, first).into();
    while let Some(effect) = due.pop_front() {
        for what in world.answer(&effect, &trace.state) {
            due.extend(feed(plan, trace, what));
        }
    }
}

fn run(world: &World) -> Trace {
    let plan = audit();
    let mut trace = Trace { state: plan.start(), events: Vec::new(), effects: Vec::new() };
    play(&plan, &mut world.clone(), &mut trace, What::Began);
    trace
}

fn check(world: &World, interesting: &[&str], expected: &[&str]) {
    let trace = run(world);
    let seen: Vec<String> = trace
        .effects
        .iter()
        .map(name)
        .filter(|name| interesting.iter().any(|word| name.starts_with(word)))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_clean_cycle_asks_nobody_but_the_seeker_and_the_summarizer() {
    check(
        &World::default(),
        &["ask", "compute", "finish"],
        &[
            "ask 1/seek/1",
            "compute 1/seek/1",
            "compute 1/merge-validations/1",
            "compute 1/verify-fixes/1",
            "compute 1/accumulate-history/1",
            "compute 1/recurse-decision/1",
            "ask 1/summary/1",
            "finish completed",
        ],
    );
}

#[test]
fn validators_are_all_asked_before_any_has_answered() {
    let trace = run(&World { findings: 1, ..World::default() });
    let asked: Vec<_> = trace.effects.iter().map(name).collect();
    let first = asked.iter().position(|name| name == "ask 1/validate-agent-1/1").expect("asked");
    assert_eq!(asked[first + 1], "ask 1/validate-agent-2/1");
    assert_eq!(asked[first + 2], "ask 1/validate-agent-3/1");
}

#[test]
fn a_fix_that_does_not_verify_is_asked_again_and_then_the_next_cycle_comes() {
    check(
        &World { findings: 2, failing_turns: 9, ..World::default() },
        &["ask 1/fix", "compute 1/verify", "enter", "leave", "arm", "disarm", "finish"],
        &[
            "enter 1",
            "arm 900000",
            "ask 1/fix/1",
            "compute 1/verify-fixes/1",
            "ask 1/fix/2",
            "compute 1/verify-fixes/2",
            "disarm",
            "enter 2",
            "arm 900000",
            "disarm",
            "leave 2",
            // 39 events had passed when the next cycle was laid on the first.
            &format!("arm {}", 900_000 - 39),
            "disarm",
            "leave 1",
            "finish completed",
        ],
    );
}

#[test]
fn a_failed_fixer_is_undone_and_ends_the_run() {
    let world = World { findings: 1, fault: Some(("fix", Fault::Exit(1))), ..World::default() };
    check(
        &world,
        &["ask 1/fix", "snap left", "restore", "say", "finish"],
        &["ask 1/fix/1", "snap left", "restore 5", "say WriteUndone", "finish failed"],
    );
    let Some(Outcome::Failed { call, failure }) = run(&world).state.outcome() else {
        panic!("the run failed");
    };
    assert_eq!(call.to_string(), "1/fix/1");
    assert!(matches!(failure, Failure::Agent { fault: Fault::Exit(1), kept: Some(_) }));
}

#[test]
fn a_failed_seeker_ends_the_run_and_a_failed_validator_does_not() {
    let seeker = World { fault: Some(("seek", Fault::Blank)), ..World::default() };
    assert!(matches!(run(&seeker).state.outcome(), Some(Outcome::Failed { .. })));
    let validator = World {
        findings: 1,
        fault: Some(("validate-agent-2", Fault::Exit(1))),
        ..World::default()
    };
    assert_eq!(run(&validator).state.outcome(), Some(Outcome::Completed));
    let absent = World {
        findings: 1,
        fault: Some(("validate-agent-2", Fault::NotStarted)),
        ..World::default()
    };
    assert!(matches!(run(&absent).state.outcome(), Some(Outcome::Failed { .. })));
}

/// What it left is put back when the others have ended: their answers fit until then.
#[test]
fn a_failed_write_call_waits_for_those_beside_it() {
    let group =
        vec![step("mend", false, ask(Role::Worker)), step("look", false, ask(Role::Summarizer))];
    let plan = Plan {
        nodes: vec![Node::Group(group)],
        policy: None,
        cycle_timeout: None,
        keep_tree: false,
    };
    let call = |step: &str| CallId { frame: crate::FrameId(1), step: StepId::new(step), turn: 1 };
    let launched =
        |step| What::Launched { call: call(step), attempt: 1, prompt: ArtifactId::new("a") };
    let replied = |step, heard| What::Replied {
        call: call(step),
        heard,
        usage: Usage::default(),
        reply: None,
    };
    let snapped = |n| What::Snapped { snapshot: SnapshotId(n), tree: TreeId::new("1") };
    let mut trace = Trace { state: plan.start(), events: Vec::new(), effects: Vec::new() };
    for what in [
        What::Began,
        snapped(1),
        launched("mend"),
        launched("look"),
        replied("mend", Heard::Fault(Fault::Exit(1))),
        // A crash does not make the mess the tree that it is measured against.
        What::Resumed,
        What::Launched { call: call("look"), attempt: 2, prompt: ArtifactId::new("a") },
        replied("look", Heard::Said(Class::Parsed)),
        snapped(2),
        What::Restored { snapshot: SnapshotId(1) },
    ] {
        feed(&plan, &mut trace, what);
    }
    let Some(Outcome::Failed { call, failure }) = trace.state.outcome() else {
        panic!("the run failed");
    };
    assert_eq!(call.to_string(), "1/mend/1");
    assert!(matches!(failure, Failure::Agent { fault: Fault::Exit(1), kept: Some(SnapshotId(2)) }));
}

#[test]
fn a_group_that_writes_is_void_and_each_member_is_asked_again_alone() {
    check(
        &World { findings: 1, writes: 1, ..World::default() },
        &["ask 1/validate", "snap still", "say", "restore", "compute 1/validate"],
        &[
            "ask 1/validate-agent-1/1",
            "ask 1/validate-agent-2/1",
            "ask 1/validate-agent-3/1",
            "snap still",
            "restore 3",
            "say WroteInReadOnlyRole",
            "ask 1/validate-agent-1/2",
            "ask 1/validate-agent-2/2",
            "ask 1/validate-agent-3/2",
            "compute 1/validate-agent-1/2",
            "compute 1/validate-agent-2/2",
            "compute 1/validate-agent-3/2",
        ],
    );
}

#[test]
fn a_tree_that_moves_while_no_child_runs_is_the_users() {
    check(
        &World { findings: 1, writes: 1, user_edits: true, ..World::default() },
        &["ask 1/validate", "say", "restore"],
        &[
            "ask 1/validate-agent-1/1",
            "ask 1/validate-agent-2/1",
            "ask 1/validate-agent-3/1",
            "say TreeMovedByUser",
        ],
    );
}

#[test]
fn what_comes_after_the_end_is_refused() {
    let trace = run(&World::default());
    for what in [What::Began, What::Resumed, What::Interrupted { signal: 2 }] {
        let event = Event { at: 0, what };
        let refusal = audit().step(&trace.state, &event).expect_err("a settled run");
        assert_eq!(refusal.expected, Vec::<String>::new());
    }
}

#[test]
fn an_interrupted_run_ends_its_children_and_asks_the_open_calls_again() {
    let plan = audit();
    let whole = run(&World { findings: 1, ..World::default() });
    let launched = whole
        .events
        .iter()
        .position(|event| matches!(&event.what, What::Launched { call, .. } if call.step.as_str() == "fix"))
        .expect("the fixer was launched");
    let mut trace = Trace { state: plan.start(), events: Vec::new(), effects: Vec::new() };
    for event in &whole.events[..=launched] {
        feed(&plan, &mut trace, event.what.clone());
    }
    let effects = feed(&plan, &mut trace, What::Interrupted { signal: 2 });
    let names: Vec<_> = effects.iter().map(name).collect();
    assert_eq!(names, ["end 1/fix/1", "disarm", "finish paused"]);
    assert_eq!(trace.state.outcome(), Some(Outcome::Paused(Pause::Signal(2))));
    let effects = feed(&plan, &mut trace, What::Resumed);
    let names: Vec<_> = effects.iter().skip(1).map(name).collect();
    assert_eq!(names, ["snap left"], "the tree of an open write call is kept first");
}

#[test]
fn a_fix_before_the_merge_is_refused_at_load_with_the_expected_step() {
    let mut plan = audit();
    plan.nodes.swap(2, 3);
    let misorder = plan.check_order().expect_err("fix before merge");
    assert_eq!(misorder.step.as_str(), "fix");
    assert!(misorder.to_string().contains("merge-validations"), "{misorder}");
    assert_eq!(audit().check_order(), Ok(()));
}

proptest! {
    /// A crash after any event, and a resume: the run ends as it would have.
    #[test]
    fn a_run_resumed_after_any_event_ends_alike(
        findings in 0usize..3, failing in 0u32..3, cut in 0usize..200,
    ) {
        let plan = audit();
        let world = World { findings, failing_turns: failing, ..World::default() };
        let whole = run(&world);
        let cut = 1 + cut % (whole.events.len() - 1);
        let mut trace = Trace { state: plan.start(), events: Vec::new(), effects: Vec::new() };
        for event in &whole.events[..cut] {
            feed(&plan, &mut trace, event.what.clone());
        }
        if trace.state.outcome().is_none() {
            play(&plan, &mut world.clone().after(&whole.events[..cut]), &mut trace, What::Resumed);
        }
        prop_assert_eq!(trace.state.outcome(), whole.state.outcome());
        let cycles = |state: &State| {
            let running = state.running().expect("it began");
            running.cycles().iter().map(|cycle| (cycle.cycle(), cycle.counts(), cycle.decision())).collect::<Vec<_>>()
        };
        prop_assert_eq!(cycles(&trace.state), cycles(&whole.state));
    }

    /// Whatever comes, in whatever state: an answer, never a panic.
    #[test]
    fn any_event_in_any_state_is_answered(picks in proptest::collection::vec((0usize..400, 0u64..10), 0..60)) {
        let plan = audit();
        let pool = run(&World { findings: 2, failing_turns: 1, writes: 1, ..World::default() }).events;
        let mut state = plan.start();
        for (step, (pick, at)) in picks.into_iter().enumerate() {
            // Mostly the event that is due, so that deep states are reached.
            let index = if at < 8 { step % pool.len() } else { pick % pool.len() };
            let what = pool[index].what.clone();
            if let Ok((next, _)) = plan.step(&state, &Event { at, what }) {
                state = next;
            }
        }
    }
}
