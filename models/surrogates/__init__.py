"""Plan, allocate and substitute surrogates."""
