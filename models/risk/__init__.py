"""The re-identification risk of one note."""
