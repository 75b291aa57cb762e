"""Services that wrap the root key, so that no file holds it in the clear."""
