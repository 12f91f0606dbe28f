//! The only run state on disk: records, artifacts, locks and the output folder (D45, D11).
//!
//! A [`StateDir`] holds runs. A [`Run`] is the one that may write: it has the lock. A [`Past`] reads
//! a run that may be at work elsewhere. [`Output`] is the folder where people find raw replies and
//! reports.
//!
//! Whatever is killed at any instant leaves a prefix of its records: a record is one line, written
//! whole, and a last line without its end is dropped by the next who opens the run. Files appear
//! under their names only when their content is on the disk.
//!
//! Folders that are made here have mode 0700, files 0600; the mode of what was there before is left
//! as it is.

mod artifacts;
mod call_name;
mod error;
mod folder;
mod isolated;
mod last_loop;
mod lock;
mod log;
mod near_run;
mod output;
mod past;
mod private;
mod run;
mod state_dir;
mod tmp;

pub use error::{JournalError, JournalErrorKind};
pub use lock::TreeLock;
pub use output::{Kept, Output};
pub use past::Past;
pub use run::{Run, Stream};
pub use state_dir::StateDir;
