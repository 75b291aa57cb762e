"""Names of persons: their words, parts, identities and pools."""
