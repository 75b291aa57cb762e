"""Written forms of PHI for training notes."""
