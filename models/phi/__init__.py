"""What each kind of PHI is: its words, how it is read and how it is written."""
