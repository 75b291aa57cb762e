"""Put PHI into real prose."""
