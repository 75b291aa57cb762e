"""Write Word documents with the permitted text in the places of what was read."""
