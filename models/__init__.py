"""What decides: pure, deterministic, without I/O, clock or environment."""
