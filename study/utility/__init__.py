"""Measure what outputs are still good for: learn from them, and test on plain text."""
