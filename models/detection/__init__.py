"""Find the PHI of notes: recognizers, their union, and the sweep."""
