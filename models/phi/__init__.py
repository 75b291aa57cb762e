"""Each kind of PHI: its words, how it is read and how it is written."""
