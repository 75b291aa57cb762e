"""Build training corpora from seeds, frames and prose."""
