//! Real agent programs, asked as users ask them, with a scripted model behind them.
//!
//! They come from npm, at exact versions, by `cargo xtask agents`; without them each test says so and
//! ends. The model listens on loopback, and the agents get no key but the one it is given.

mod faults;
mod installed;
mod whole_audits;
