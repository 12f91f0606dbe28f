//! A server of the Model Context Protocol on standard input and output: the review loop as tools.
//!
//! [`serve`] is what the binary runs. [`Server`] is for embedding and tests: it is made from
//! [`Loops`](tribunal_runner::review_loop::Loops), which may go by another machine, and tells an
//! observer of every state that was reached.
//!
//! It keeps no state of its own: a call names its run, or means the last loop of the work tree, so any
//! number of servers and command lines can work on one loop, whichever version of the protocol a client
//! speaks. Nothing but JSON-RPC is written to standard output.

mod clients;
mod serve;
mod server;
mod skills;
mod tools;
mod wire;

pub use clients::CLIENTS;
pub use serve::serve;
pub use server::{OnStateChange, Server};
pub use skills::SKILLS;
