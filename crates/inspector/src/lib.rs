//! A reviewer without a model: structural rules behind the agent protocol.
//!
//! Reached as a child process alone, like any agent: the prompt on stdin, the answer on stdout
//! (DESIGN §3, §5, D41). It reads the tree below `--target`; only `--role fixer` writes, only
//! inside its root, and never through a link. The same tree and prompt give the same bytes.
//!
//! The rules are files, `rules/LANG/ID.yml`, each beside its examples, `ID.examples.yml`; the build
//! script lists them. `inspector rules list|show|test` is for those who write them.

mod anchors;
mod args;
mod artefact;
mod cache;
mod catalog;
mod edit;
mod examples;
mod eyes;
mod family;
mod fault;
mod fix;
mod hit;
mod links;
mod linter;
mod matchers;
mod module_size;
mod piece;
mod place;
mod program;
mod prompt;
mod reach;
mod remark;
mod rule;
mod rules;
mod scan;
mod secret;
mod seek;
mod selection;
mod source;
mod summarize;
mod surroundings;
mod survey;
mod tree;
mod validate;
mod weigh;
mod wire;

pub use program::main;
