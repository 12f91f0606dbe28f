//! Turns the view of a run into text, Markdown and JSON.
