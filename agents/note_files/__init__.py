"""The commands that read and write files of notes."""
