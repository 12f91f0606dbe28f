//! A reviewer without a model: structural rules behind the agent protocol.
