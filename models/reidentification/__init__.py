"""Reversible records and the chain of the audit log."""
