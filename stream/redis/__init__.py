"""Redis: surrogates, crash marks, reversible records, and what is checked first."""
