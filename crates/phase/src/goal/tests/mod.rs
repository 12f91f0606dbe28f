//! The goal machine: its table, whole runs, and laws.

mod laws;
mod runs;
mod table;
mod world;
