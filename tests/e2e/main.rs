//! End-to-end tests of the binary: real repositories, real processes, an agent that plays a part.

mod audit;
mod bad_input;
mod crash;
mod cycles;
mod diff;
mod fixes;
mod interruptions;
mod isolate;
mod linters;
mod loops;
mod prove;
mod read_only;
mod real_agents;
mod recipes;
mod rules;
mod single_rules;
mod stage;
mod surface;
mod trust;
mod undo;
mod untrusted;
mod validators;
