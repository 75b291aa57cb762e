"""Show a policy, and compare two on sample notes."""
