"""What operators see: logs, metrics, health, and the words of other libraries."""
