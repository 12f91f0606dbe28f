//! The only user of libgit2: snapshots of a work tree, what changed between two of them, and the
//! way back.
//!
//! A [`Snapshot`] holds every file as raw bytes (no filters, no line-end conversion), the index
//! file's bytes and HEAD, as git objects under `refs/tribunal/` (D12). The difference of two is a
//! [`tribunal_verify::Evidence`]; [`Worktree::restore`] brings the tree back to one, byte for byte.
//!
//! Never read: the environment variables that point git elsewhere (`GIT_DIR` and its like). Never
//! touched by a snapshot: the user's index, files, time stamps, and refs outside `refs/tribunal/`.

mod blob_ids;
mod carry;
mod claimed;
mod closed;
mod compare;
mod conversion;
mod disk;
mod disk_beside;
mod error;
mod evidence;
mod excluded;
mod extensions;
mod folder;
mod head;
mod hunks;
mod ids;
mod ignoring;
mod index_file;
mod index_lock;
mod index_reader;
mod isolated;
mod kept_refs;
mod later_edits;
mod left_locks;
mod left_out;
mod limits;
mod modes;
mod name;
mod nested;
mod objects;
mod open;
mod patch;
mod presence;
mod renames;
mod restore;
mod restore_beside;
mod restore_head;
mod restore_plan;
mod snapshot;
mod stored_commit;
mod stored_tree;
mod take;
mod test_texts;
mod tracked;
mod unified;
mod walk;
mod walk_file;
mod without;

pub use carry::Merge;
pub use error::WorktreeError;
pub use excluded::Excluded;
pub use head::{Head, MovedRef};
pub use ids::{CommitId, NotAnId, TreeId};
pub use isolated::branch_of;
pub use later_edits::LaterEdits;
pub use limits::Limits;
pub use name::SnapshotName;
pub use open::Worktree;
pub use restore::Restored;
pub use snapshot::{Drift, Snapshot};
pub use unified::FileDiff;
