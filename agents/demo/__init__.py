"""The demo: embedded services, a worker and fictional notes."""
