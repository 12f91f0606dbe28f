//! Counts independent votes: one per validator and finding.
