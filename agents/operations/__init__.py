"""What a worker shows of itself and of its group: the page at its port, and its figures."""
