"""Measure what of an overlooked identifier is left in the output of each technique."""
