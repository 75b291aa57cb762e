"""Merged patients: numbers that are of one person, and which of them outputs are made by."""
