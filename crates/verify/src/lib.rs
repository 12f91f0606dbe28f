//! Holds what a fix agent claims against what the repository shows.
