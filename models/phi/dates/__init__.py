"""Dates: their words, their fields, how they are read and written."""
