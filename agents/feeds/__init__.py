"""Feeds of other systems: messages that they send become records of the input topic."""
