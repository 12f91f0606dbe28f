//! What the three renderings say, and what agents' words cannot do to them.

mod hostile;
mod renderings;
mod views;
