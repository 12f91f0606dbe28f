//! Drives a definition and a machine; every command is a function here.
