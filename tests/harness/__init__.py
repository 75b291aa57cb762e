"""Fault harness: notes with canaries flow while faults happen; an offline verifier judges."""
