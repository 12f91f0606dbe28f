//! Ids that nobody has yet.

use std::collections::{HashMap, HashSet};

use crate::FindingId;

/// The ids in use; finds a free one beside them.
#[derive(Debug, Default)]
pub(crate) struct TakenIds {
    taken: HashSet<FindingId>,
    /// The next number to try per id, so that many equal ids cost no search each.
    next: HashMap<FindingId, u64>,
}

impl TakenIds {
    /// Marks an id as in use; false where it was already.
    pub(crate) fn insert(&mut self, id: FindingId) -> bool {
        self.taken.insert(id)
    }

    /// Takes `wanted`, or where it is in use the first free of `wanted-2`, `wanted-3` ….
    pub(crate) fn take(&mut self, wanted: &FindingId) -> FindingId {
        if self.taken.insert(wanted.clone()) {
            return wanted.clone();
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let id = FindingId::new(&format!("{wanted}-{next}"))
                .expect("an id with a number after it is neither blank nor broken");
            *next += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}
