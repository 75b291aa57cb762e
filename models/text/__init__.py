"""Text without knowledge of PHI: folding, search, context, sentences."""
