"""Quarantine: list dead letters, read their originals, replay or discard them."""
