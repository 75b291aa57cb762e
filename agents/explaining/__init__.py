"""Explain notes on request: run them once more through the worker's pipeline and keep it all."""
