"""Wait for what is away: retries and the circuit breaker."""
