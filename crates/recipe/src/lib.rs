//! Recipes: steps, expressions, templates and values that never become code.
