"""The commands that the study adds to the command line."""
