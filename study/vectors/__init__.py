"""Train vectors of words and documents."""
