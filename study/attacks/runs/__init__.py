"""Attack de-identified notes as one who holds the originals, and report what is found."""
