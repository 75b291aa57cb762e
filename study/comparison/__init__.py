"""A study: every technique by every measure over one corpus, and its report."""
