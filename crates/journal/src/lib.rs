//! The only run state on disk: records, artifacts, locks and the output folder.
