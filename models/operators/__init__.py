"""Turn one span into a replacement text, one verb a file."""
