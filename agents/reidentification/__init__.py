"""Reversible records, and who may read them."""
