//! Going through a journal again: what the run had come to (DESIGN §3, flow 7 and 8).

use tribunal_phase::plan::State;
use tribunal_phase::{CallId, Done, Event, Machine as _, Native, What};
use tribunal_record::{Body, Record};

use crate::answers::spoken;
use crate::compute::{Artifacts, compute, contract_of, digest};
use crate::definition::Loaded;
use crate::error::RunError;
use crate::memory::Memory;
use crate::native::Given;
use crate::tree::Tree;

/// Where a journal leads.
pub(crate) struct Folded {
    pub(crate) state: State,
    pub(crate) memory: Memory,
}

/// Whether recorded facts that no longer come out the same are an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// The run goes on from here: they are.
    Resume,
    /// The run is only shown.
    Show,
}

/// Folds the records.
///
/// Recorded facts are compared, not trusted: what was computed is computed again.
pub(crate) fn fold(
    loaded: &Loaded,
    records: &[Record],
    artifacts: &dyn Artifacts,
    tree: Option<&Tree>,
    strictness: Strictness,
    run: &str,
) -> Result<Folded, RunError> {
    let mut folded = Folded { state: loaded.plan.start(), memory: Memory::default() };
    for record in records {
        let disagrees =
            |why: String| RunError::Disagrees { run: run.to_owned(), record: record.seq, why };
        match &record.body {
            Body::Event(event) => {
                let given = match &event.what {
                    What::Computed { call, done } => {
                        let again = folded.compute_again(loaded, artifacts, tree, call, done)?;
                        match again {
                            Ok(given) => given,
                            Err(why) if strictness == Strictness::Resume => {
                                return Err(disagrees(why));
                            }
                            Err(_) => None,
                        }
                    }
                    _ => None,
                };
                let spoken = spoken(loaded, artifacts, &event.what)?;
                folded.take(loaded, event, given, spoken).map_err(disagrees)?;
            }
            Body::Refused { .. } | Body::Note(_) => {}
        }
    }
    Ok(folded)
}

impl Folded {
    fn take(
        &mut self,
        loaded: &Loaded,
        event: &Event,
        given: Option<Given>,
        spoken: crate::memory::Spoken,
    ) -> Result<(), String> {
        let (state, effects) =
            loaded.plan.step(&self.state, event).map_err(|refusal| refusal.to_string())?;
        self.memory.note(loaded, event, given, spoken);
        self.state = state;
        for effect in &effects {
            self.memory
                .follow(loaded, &self.state, effect)
                .map_err(|error| format!("output: {error}"))?;
        }
        Ok(())
    }

    /// Computes a step again; the inner error says how it differs from the record.
    fn compute_again(
        &mut self,
        loaded: &Loaded,
        artifacts: &dyn Artifacts,
        tree: Option<&Tree>,
        call: &CallId,
        done: &Done,
    ) -> Result<Result<Option<Given>, String>, RunError> {
        let native = contract_of(loaded, call).map_or(Native::Step, Native::Read);
        let computed = compute(loaded, &self.state, &self.memory, artifacts, tree, call, &native)?;
        Ok(match (computed, done) {
            (Ok(given), Done::Gave { facts, digest: recorded }) => {
                if given.facts != *facts {
                    Err(format!("{call} establishes other facts"))
                } else if digest(&given) != *recorded {
                    Err(format!("{call} gives another value"))
                } else {
                    Ok(Some(given))
                }
            }
            (Err(halt), Done::Failed(failure)) if halt.failure == *failure => {
                self.memory.said.extend(halt.said.into_iter().map(|said| (call.clone(), said)));
                Ok(None)
            }
            (Ok(_), Done::Failed(failure)) => Err(format!("{call} failed then: {failure}")),
            (Err(halt), _) => Err(format!("{call} fails now: {}", halt.failure)),
        })
    }
}
