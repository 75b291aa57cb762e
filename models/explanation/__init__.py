"""Explain what was decided about the spans and the surrogates of a note."""
