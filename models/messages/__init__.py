"""Messages and documents of other systems, read into notes and written again."""
