"""Neighbour substitution at sentence level."""
