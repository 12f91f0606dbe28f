//! The shape that every scheduling machine has.

use crate::{Effect, Event, Refusal};

/// A pure and total machine: it answers every event in every state.
pub trait Machine {
    /// Everything the machine remembers.
    type State;

    /// The state before the first event.
    fn start(&self) -> Self::State;

    /// Takes one event.
    ///
    /// # Errors
    /// A [`Refusal`] when the event does not fit; the state is then unchanged.
    fn step(
        &self,
        state: &Self::State,
        event: &Event,
    ) -> Result<(Self::State, Vec<Effect>), Refusal>;
}
