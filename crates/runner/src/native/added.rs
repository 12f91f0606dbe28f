//! Steps that a Rust program adds.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tribunal_recipe::{Datum, Fields};

/// A native step of a program that uses Tribunal as a library.
///
/// It gives a value, never a fact: it can compute anything and decide nothing.
pub trait AddedStep: Send + Sync {
    /// Computes the value from the inputs that the recipe hands over under `with:`.
    ///
    /// Must be pure: on resume it is run again and has to give the same.
    ///
    /// # Errors
    /// Why it cannot be computed; the step then fails.
    fn run(&self, with: &Fields) -> Result<Datum, StepError>;
}

/// Why an added step could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StepError(pub String);

/// Added steps by the name that recipes use.
#[derive(Clone, Default)]
pub struct AddedSteps(BTreeMap<String, Arc<dyn AddedStep>>);

impl AddedSteps {
    /// Adds a step under a name; a later one replaces an earlier one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, step: impl AddedStep + 'static) -> Self {
        self.0.insert(name.to_owned(), Arc::new(step));
        self
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&dyn AddedStep> {
        self.0.get(name).map(AsRef::as_ref)
    }
}

impl fmt::Debug for AddedSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
