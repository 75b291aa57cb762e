"""Kafka: connections and topics."""
