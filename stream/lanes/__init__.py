"""Batches: how they are gathered and cut, and the threads that they run on."""
