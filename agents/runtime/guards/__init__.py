"""Guards that stop a note or the whole worker."""
