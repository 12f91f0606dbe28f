//! Tribunal.
fn main() {}
