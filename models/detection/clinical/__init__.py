"""Forms and contexts of clinical values, which no recognizer may take for PHI."""
