"""The surroundings of a measured worker: topics, a key and names in Redis of its own."""

import os
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from deidstream.agents.demo.demo import Playground
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import EXACTLY_ONCE, PREFIX, Settings
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics, create_topics
from deidstream.stream.redis.embedded import EmbeddedBroker, EmbeddedRedis

KEPT_SECTIONS = ("MODEL", "BATCH", "TAGGER", "WORKER")
"""Settings of the caller's environment that the measured worker gets too."""

KINDS = ("raw", "anonymized", "risk", "quarantine", "patients")


@dataclass(frozen=True, slots=True)
class WorkerServices:
    """Where the measured worker finds Kafka and Redis."""

    brokers: str | None = None
    """``None``: an in-memory broker is started."""
    redis_url: str | None = None
    """``None``: an embedded Redis is started."""
    partitions: int = 4
    """The partitions of each topic."""

    def describe(self) -> dict[str, str]:
        """Describe the services without their addresses."""
        return {
            "broker": "Kafka" if self.brokers else "in-memory",
            "redis": "given" if self.redis_url else "embedded",
            "delivery": EXACTLY_ONCE if self.brokers else "at-least-once",
        }


@dataclass(frozen=True, slots=True)
class WorkerSite:
    """Everything that a measured worker is started with."""

    place: Playground
    topics: Topics
    partitions: int
    in_memory: bool

    @property
    def connection(self) -> KafkaConnection:
        """How to reach the broker."""
        return KafkaConnection(self.place.brokers)

    async def make_topics(self, producer: KafkaProducer) -> None:
        """Create the topics.

        Raises:
            Unavailable: Kafka is unavailable, or refuses.
        """
        if self.in_memory:
            # This broker creates a topic when a client asks for it.
            client = await producer.connect()
            for name in self.topics.all():
                await client.partitions_for(name)
            return
        await create_topics(self.connection, self.topics, partitions=self.partitions, replication=1)


@contextmanager
def prepared_site(settings: Settings, services: WorkerServices) -> Generator[WorkerSite]:
    """Start the services that are not given, and name topics, group and deployment of one run."""
    run = f"deidstream-bench-{time.time_ns()}"
    raw, anonymized, risk, quarantine, patients = (f"{run}.{kind}" for kind in KINDS)
    topics = Topics(raw, anonymized, risk, quarantine, audit=None, patients=patients)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="deidstream-bench-")))
        embedded = None if services.brokers else EmbeddedBroker.start()
        brokers = services.brokers or (embedded.brokers if embedded else "")
        redis_url = services.redis_url
        if redis_url is None:
            redis = EmbeddedRedis.start(folder)
            stack.callback(redis.stop)
            redis_url = redis.url
        more = _settings_of_run(settings, topics, run)
        if not embedded:
            more[f"{PREFIX}_KAFKA_DELIVERY"] = EXACTLY_ONCE
        place = Playground(brokers, redis_url, folder, settings.policy, more)
        write_key(place.key_file)
        yield WorkerSite(place, topics, services.partitions, in_memory=embedded is not None)


def _settings_of_run(settings: Settings, topics: Topics, run: str) -> dict[str, str]:
    kept = tuple(f"{PREFIX}_{section}_" for section in KEPT_SECTIONS)
    own = {name: value for name, value in os.environ.items() if name.startswith(kept)}
    return own | {
        f"{PREFIX}_BATCH_NOTES": str(settings.batch.notes),
        f"{PREFIX}_KAFKA_GROUP": run,
        f"{PREFIX}_KAFKA_RAW_TOPIC": topics.raw,
        f"{PREFIX}_KAFKA_ANONYMIZED_TOPIC": topics.anonymized,
        f"{PREFIX}_KAFKA_RISK_TOPIC": topics.risk,
        f"{PREFIX}_KAFKA_QUARANTINE_TOPIC": topics.quarantine,
        f"{PREFIX}_KAFKA_PATIENTS_TOPIC": topics.patients,
        f"{PREFIX}_REDIS_DEPLOYMENT": run,
    }
