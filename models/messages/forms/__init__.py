"""Write the text of a note from the elements of a structured document."""
