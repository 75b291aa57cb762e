"""The recognizer of written forms: one module for each kind of PHI."""
