"""The command ``bench``: how fast notes are processed, and how near the engine's limit that is."""
