//! Envelope and format versions of the records of a run.
