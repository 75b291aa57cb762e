"""Find PHI: rules, dictionary, known identifiers, tagger."""
