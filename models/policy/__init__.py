"""Read and check policies."""
