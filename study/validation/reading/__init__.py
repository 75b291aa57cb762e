"""The page on which two readers mark what was missed, and a third one decides between them."""
