//! The only starter of processes: agents and commands, supervised to their end.
