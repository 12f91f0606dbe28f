//! The named values of each frame.

use tribunal_phase::FrameId;
use tribunal_recipe::{Datum, Fields};

/// The values of one frame; every declared name has one, null until it is set.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// The frame.
    pub(crate) frame: FrameId,
    /// The cycle it is.
    pub(crate) cycle: u32,
    /// Values by name, the settings under `setting`.
    pub(crate) values: Fields,
    /// What the frame that lay on this one was worth.
    pub(crate) pushed_value: Option<Datum>,
}

/// Variables that the next cycle takes over (D19).
const FORWARDED: [&str; 13] = [
    "task_description",
    "repo_path",
    "target_path",
    "min_cycles",
    "max_cycles",
    "validation_threshold",
    "severity_threshold",
    "module_loc_limit",
    "fix_all_per_cycle",
    "categories",
    "output_dir",
    "cycle_number",
    "cycle_history",
];

impl Context {
    /// The first frame's context.
    pub(crate) fn first(values: Fields) -> Self {
        let mut context = Self { frame: FrameId(1), cycle: 1, values, pushed_value: None };
        context.number(1);
        context
    }

    /// The context of the next cycle: the forwarded variables, everything else as declared.
    pub(crate) fn next(&self, declared: &Fields, frame: FrameId, cycle: u32) -> Self {
        let mut values = declared.clone();
        for name in FORWARDED {
            if let (Some(value), true) = (self.values.get(name), declared.contains_key(name)) {
                values.insert(name.to_owned(), value.clone());
            }
        }
        let mut context = Self { frame, cycle, values, pushed_value: None };
        context.number(cycle);
        context
    }

    fn number(&mut self, cycle: u32) {
        if self.values.contains_key("cycle_number") {
            self.values.insert("cycle_number".to_owned(), Datum::from(cycle));
        }
    }

    /// Sets a name.
    pub(crate) fn set(&mut self, name: &str, value: Datum) {
        self.values.insert(name.to_owned(), value);
    }
}
