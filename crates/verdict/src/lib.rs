//! Finds the one JSON answer in what a model said.
