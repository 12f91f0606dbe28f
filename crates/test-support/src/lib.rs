//! For tests alone: a hermetic sandbox, real repositories and the scripted agent.
