"""The recognizer of listed names and places."""
