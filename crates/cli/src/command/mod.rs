//! One module per command.

pub(crate) mod audit;
pub(crate) mod cycle;
pub(crate) mod fixes;
pub(crate) mod loops;
pub(crate) mod mcp;
pub(crate) mod qa;
pub(crate) mod recipe;
pub(crate) mod rules;
mod running;
pub(crate) mod runs;
pub(crate) mod trust;
pub(crate) mod verdict;
pub(crate) mod vote;
