"""What the sender of a note states, and how it is found in the text."""
