"""Checks of all that a process needs, each with a remedy."""
