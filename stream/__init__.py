"""What moves: Kafka, Redis, HTTP, metrics; no tensors."""
