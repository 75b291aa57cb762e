"""Real prose, cleaned of what may be PHI."""
