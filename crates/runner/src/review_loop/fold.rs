//! Going through a loop's journal again.

use tribunal_phase::review_loop::State;
use tribunal_phase::{Event, Machine, Millis, RunId, What};
use tribunal_record::{Body, Note, Record};

use crate::error::RunError;
use crate::tree::Trees;

/// Where a journal leads.
pub(super) struct Folded {
    pub(super) state: State,
    /// The trees of its snapshots.
    pub(super) trees: Trees,
    /// Running time so far.
    pub(super) at: Millis,
}

/// Folds the events. A state that was recorded is compared with what they lead to, never taken over.
pub(super) fn fold(
    machine: &dyn Machine<State = State>,
    records: &[Record],
    id: &RunId,
) -> Result<Folded, RunError> {
    let mut folded = Folded { state: machine.start(), trees: Trees::new(), at: 0 };
    for record in records {
        let disagrees =
            |why: String| RunError::Disagrees { run: id.to_string(), record: record.seq, why };
        match &record.body {
            Body::Event(event) => folded.take(machine, event).map_err(disagrees)?,
            Body::Note(Note::AuditLoopState(state)) if **state != folded.state => {
                return Err(disagrees("the events lead to another state".to_owned()));
            }
            Body::Note(_) | Body::Refused { .. } => {}
        }
    }
    Ok(folded)
}

impl Folded {
    fn take(&mut self, machine: &dyn Machine<State = State>, event: &Event) -> Result<(), String> {
        let next = machine.step(&self.state, event).map_err(|refusal| refusal.to_string())?;
        self.state = next.0;
        self.at = event.at;
        if let What::Snapped { snapshot, tree } = &event.what {
            self.trees.insert(*snapshot, tree.clone());
        }
        Ok(())
    }
}
