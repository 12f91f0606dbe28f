//! Command line: arguments, settings, exit statuses and hints.
//!
//! The only reader of environment variables and settings files. Errors of all crates below become
//! messages with a remedy here, and nowhere else; so do exit statuses.

mod agents;
mod args;
mod command;
mod exit_status;
mod failure;
mod front;
mod inspector;
mod problems;
mod progress;
mod remedy;
mod settings;
mod trust;

pub use args::{Cli, command_line};
pub use exit_status::ExitStatus;
pub use front::{Mcp, main};
pub use settings::environment;
