//! The machine against a small world that has a tree and tests.

use super::*;
use crate::{ArtifactId, Effect, Event, Machine as _, SnapshotId, TreeId, What};

mod laws;
mod rows;
mod table;

/// What the machine meets: a tree that is a number, and tests that end in some way.
#[derive(Debug, Clone)]
struct World {
    tree: u32,
    exit: Option<i32>,
    /// How many runs of the tests still write files.
    writes: u32,
    /// Named files that did not change.
    unfounded: u32,
}

impl Default for World {
    fn default() -> Self {
        Self { tree: 1, exit: Some(0), writes: 0, unfounded: 0 }
    }
}

impl World {
    fn answer(&mut self, effect: &Effect) -> Vec<What> {
        match effect {
            Effect::Snap { snapshot, .. } => {
                vec![What::Snapped { snapshot: *snapshot, tree: tree(self.tree) }]
            }
            Effect::Run { call, attempt } => {
                if self.writes > 0 {
                    self.writes -= 1;
                    self.tree += 1000;
                }
                let (call, attempt) = (call.clone(), *attempt);
                vec![
                    What::Launched { call: call.clone(), attempt, prompt: said("command") },
                    What::Ran { call, exit: self.exit, output: said("output") },
                ]
            }
            Effect::Compare { before, after } => {
                let (before, after) = (*before, *after);
                vec![What::Compared { before, after, changed: 1, unfounded: self.unfounded }]
            }
            other => panic!("nobody asked for {other:?}"),
        }
    }
}

fn tree(number: u32) -> TreeId {
    TreeId::new(format!("t{number}"))
}

fn said(text: &str) -> ArtifactId {
    ArtifactId::new(text)
}

fn event(what: What) -> Event {
    Event { at: 0, what }
}

/// One call, from its asking to its answer; the state stays on a refusal of the event.
fn call(machine: ReviewLoop, state: &State, world: &mut World, asked: &Asked) -> (State, Answer) {
    let mut state = state.clone();
    let mut due = vec![What::Asked(asked.clone())];
    let mut answer = None;
    while !due.is_empty() {
        match machine.step(&state, &event(due.remove(0))) {
            Ok((next, effects)) => {
                state = next;
                for effect in effects {
                    match effect {
                        Effect::Answer(given) => {
                            assert!(answer.is_none(), "answered twice: {answer:?} {given:?}");
                            answer = Some(given);
                        }
                        other => due.extend(world.answer(&other)),
                    }
                }
            }
            Err(refusal) => {
                assert!(answer.is_none() && due.is_empty(), "{refusal}");
                answer = Some(Answer::Refused(refusal));
            }
        }
    }
    (state, answer.expect("every call is answered"))
}

fn start(text: &str) -> Asked {
    Asked { ask: Ask::Start, said: said(text) }
}

fn stop() -> Asked {
    Asked { ask: Ask::Stop, said: said("stop") }
}

fn clean(basis: bool) -> Asked {
    review(Opinion::Clean, 0, basis)
}

fn changes(findings: u32) -> Asked {
    review(Opinion::ChangesRequested, findings, true)
}

fn review(opinion: Opinion, findings: u32, basis: bool) -> Asked {
    let text = format!("{} {findings} {basis}", opinion.word());
    Asked { ask: Ask::Review { opinion, findings, basis }, said: said(&text) }
}

fn simplify(changed: bool, files: u32) -> Asked {
    Asked { ask: Ask::Simplify { changed, files }, said: said(&format!("{changed} {files}")) }
}

fn machine(max_rounds: u32, tests: bool) -> ReviewLoop {
    ReviewLoop { max_rounds: MaxRounds::new(max_rounds).expect("at least one"), tests }
}

fn snapshot(number: u32) -> SnapshotId {
    SnapshotId(number)
}
