"""Read, check and write policies."""
