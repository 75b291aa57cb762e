"""Score recognizers and risk against labelled notes."""
