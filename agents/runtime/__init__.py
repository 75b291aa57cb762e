"""Run the pipeline: the worker, its service, and what they are made of."""
