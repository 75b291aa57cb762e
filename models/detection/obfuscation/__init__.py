"""Read text that hides its words: look-alikes, invisible characters, torn lines."""
