//! A reviewer without a model: structural rules behind the agent protocol.
//!
//! Reached as a child process alone, like any agent: the prompt on stdin, the answer on stdout
//! (DESIGN §3, §5, D41). It reads the tree below `--target`; only `--role fixer` writes, only
//! inside its root, and never through a link. The same tree and prompt give the same bytes.
//!
//! The rules are files, `rules/LANG/ID.yml`, each beside its examples, `ID.examples.yml`.

mod args;
mod artefact;
mod catalog;
mod edit;
mod eyes;
mod fault;
mod fix;
mod hit;
mod links;
mod module_size;
mod program;
mod prompt;
mod remark;
mod rule;
mod scan;
mod secret;
mod seek;
mod source;
mod summarize;
mod surroundings;
mod tree;
mod validate;
mod wire;

pub use program::main;
