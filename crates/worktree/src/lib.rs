//! The only user of libgit2: snapshots, evidence and restoring.
