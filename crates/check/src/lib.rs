//! Which command checks a project, and what its output says: which units failed, how many ran,
//! whether anything ran at all.
//!
//! A check is a command whose exit status says whether a project holds: its tests, its build, its
//! linter. The status alone does not say *what* failed, nor whether anything was looked at.
//! [`read`] takes the bytes that a check printed and how it ended, and gives a [`Reading`]. Its
//! [`Signature`] tells whether this is the failure of before, [`blame`] whether it is one of the
//! code at all, or of the machine that the check ran on. Which command checks a project is found by
//! [`detect`], from the paths of its files and the texts of its manifests.
//!
//! ```
//! use tribunal_check::{Answer, End, Printed, read};
//!
//! let bytes = b"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n";
//! let reading = read(&Printed::new(bytes, End::Exit(0)));
//! assert_eq!(reading.answer, Answer::NothingRan);
//! ```
//!
//! Guarantees, for any bytes: no panic, no error, linear time. The exit status is believed before
//! the text: no text turns a failure into a pass.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod blame;
mod bounds;
mod detect;
mod diagnosis;
mod effect;
mod end;
mod folding;
mod mask;
mod pattern;
mod reading;
mod screen;
mod sheet;
mod signature;
mod slot;
mod tool;
mod unit;

pub use blame::{Blame, Known, Trouble, TroubleKind, blame};
pub use bounds::{Change, Overstep, Weakening, oversteps, ran_fewer};
pub use detect::{Choice, Detection, Ecosystem, Listing, Proposal, detect, is_manifest, known};
pub use diagnosis::{Advice, Cause, Diagnosis, NotADiagnosis, diagnosis_schema, is_advice_entry};
pub use effect::{Revert, broken_units, failing_units, mended_units, revert};
pub use end::End;
pub use folding::folded;
pub use mask::mask;
pub use pattern::{BadPattern, Pattern, read_custom};
pub use reading::{Answer, Printed, Reading, read};
pub use signature::Signature;
pub use slot::Slot;
pub use tool::Tool;
pub use unit::{Counts, Fate, Unit};
