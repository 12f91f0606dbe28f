//! Pure machines that decide what an audit does next.
