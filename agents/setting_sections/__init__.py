"""Sections of the settings that have a module of their own, and checks of the form of values."""
