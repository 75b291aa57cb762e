"""How every client of Kafka connects."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KafkaConnection:
    """Where a Kafka cluster is."""

    brokers: str
    """Bootstrap servers, comma separated."""

    def client_options(self) -> dict[str, Any]:
        """Return the options of an aiokafka client: consumer, producer or admin."""
        return {"bootstrap_servers": self.brokers}

    def faust_options(self) -> dict[str, Any]:
        """Return the options of a Faust app."""
        return {"broker": [f"kafka://{broker.strip()}" for broker in self.brokers.split(",")]}
