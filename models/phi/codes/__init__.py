"""Identifying numbers and codes."""
