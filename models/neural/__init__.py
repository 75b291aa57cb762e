"""Run transformers: tokenizer, windows, packed rows, weights."""
