"""A broker with two doors: one for the harness, one that clients reach through a proxy."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from harness.proxy import Proxy
from support.kafka import Kafka
from support.ports import LOOPBACK, free_port


@dataclass(frozen=True, slots=True)
class ProxiedKafka:
    """A broker and the proxy in front of its second listener."""

    kafka: Kafka
    proxy: Proxy


@contextmanager
def running_proxied_kafka(home: Path) -> Generator[ProxiedKafka]:
    """Run a fresh broker in ``home``, and its proxy."""
    port, behind, controller, front = free_port(), free_port(), free_port(), free_port()
    at = f"://{LOOPBACK}:"
    settings: dict[str, str | int] = {
        "listeners": f"PLAINTEXT{at}{port},PROXIED{at}{behind},CONTROLLER{at}{controller}",
        "advertised.listeners": f"PLAINTEXT{at}{port},PROXIED{at}{front}",
        "listener.security.protocol.map": (
            "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT"
        ),
        "inter.broker.listener.name": "PLAINTEXT",
        # Compaction is looked for often.
        "log.cleaner.backoff.ms": 500,
        # What a killed worker left open is ended soon after its time is over.
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": 500,
    }
    kafka = Kafka(home, port=port, controller=controller, settings=settings)
    kafka.format()
    with Proxy(behind, front) as proxy:
        try:
            kafka.start()
            yield ProxiedKafka(kafka, proxy)
        finally:
            kafka.stop()


def configure_topic(kafka: Kafka, name: str, settings: Mapping[str, str]) -> None:
    """Change settings of a topic."""
    admin: Any = import_module("confluent_kafka.admin")
    change = admin.AlterConfigOpType.SET
    entries = [
        admin.ConfigEntry(key, value, incremental_operation=change)
        for key, value in settings.items()
    ]
    resource = admin.ConfigResource(admin.ResourceType.TOPIC, name, incremental_configs=entries)
    # Its answers come only while it is held.
    client = kafka.admin()
    for changed in client.incremental_alter_configs([resource]).values():
        changed.result(30)
