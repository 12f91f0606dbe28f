//! Command line: arguments, settings, exit statuses and hints.
