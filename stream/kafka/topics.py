"""Name the topics, and create those that are missing."""

from collections.abc import Collection
from dataclasses import dataclass

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, TopicAlreadyExistsError

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.diagnosis import check_access

OUTPUT_CONFIG = {"message.timestamp.type": "LogAppendTime"}
"""Settings of output topics: the broker gives each record its time.

With the time of the worker's clock, a broker refuses every record from a clock that is more than an
hour ahead, and retention soon deletes the records from a clock that is behind.
"""

PATIENTS_CONFIG = {"retention.ms": "-1"}
"""Settings of the topic of patients: who joins outputs needs all of its few records. It has one
partition, for their order counts."""


@dataclass(frozen=True, slots=True)
class Topics:
    """Names of the topics."""

    raw: str
    anonymized: str
    risk: str
    quarantine: str
    audit: str | None
    """``None`` when spans are not emitted."""
    patients: str = "notes.patients"
    sample: str | None = None
    """``None`` when no output is drawn for readers."""

    def all(self) -> tuple[str, ...]:
        """Every name that is used."""
        names = (self.raw, self.anonymized, self.risk, self.quarantine, self.patients)
        return (*names, *filter(None, (self.audit, self.sample)))

    def config_of(self, name: str) -> dict[str, str]:
        """Return the settings that a topic is created with."""
        if name == self.raw:
            return {}
        return OUTPUT_CONFIG | (PATIENTS_CONFIG if name == self.patients else {})

    def partitions_of(self, name: str, partitions: int) -> int:
        """Return how many partitions a topic is created with, where most have ``partitions``."""
        return 1 if name == self.patients else partitions


def describe_missing(names: Collection[str], connection: KafkaConnection) -> str:
    """Return a sentence that names missing topics, and the remedy.

    Kafka hides a topic from a principal that may not describe it, so that rights may be missing.
    """
    sentence = f"kafka: no topic {', '.join(sorted(names))}: run 'deidstream topics create'"
    if not connection.has_principal:
        return sentence
    return f"{sentence}, or give this principal its rights"


async def list_topics(connection: KafkaConnection) -> frozenset[str]:
    """List the topics of a cluster that this client may see.

    Raises:
        Unavailable: Kafka is unavailable.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    admin = await connect_admin(connection)
    try:
        return frozenset(await admin.list_topics())
    except (KafkaError, OSError):
        raise Unavailable("kafka") from None  # noqa: EM101
    finally:
        await admin.close()


async def create_topics(
    connection: KafkaConnection, topics: Topics, *, partitions: int, replication: int
) -> tuple[str, ...]:
    """Create the topics that are missing; those that exist are left as they are.

    Returns:
        The names that were created, sorted.

    Raises:
        Unavailable: Kafka is unavailable, or refuses.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    admin = await connect_admin(connection)
    try:
        missing = sorted(set(topics.all()) - set(await admin.list_topics()))
        wanted = [
            NewTopic(
                name,
                topics.partitions_of(name, partitions),
                replication,
                topic_configs=topics.config_of(name),
            )
            for name in missing
        ]
        if wanted:
            _refuse_failures(await admin.create_topics(wanted))
    except TopicAlreadyExistsError:
        return ()
    except (KafkaError, OSError):
        raise Unavailable("kafka") from None  # noqa: EM101
    finally:
        await admin.close()
    return tuple(missing)


def _refuse_failures(response: object) -> None:
    codes = [topic[1] for topic in getattr(response, "topic_errors", ())]
    if any(code not in {0, TopicAlreadyExistsError.errno} for code in codes):
        raise Unavailable("kafka")  # noqa: EM101


async def connect_admin(connection: KafkaConnection) -> AIOKafkaAdminClient:
    """Open a client for administration; its caller closes it.

    Raises:
        Unavailable: Kafka is unavailable.
        InvalidSettings: Kafka and this client do not accept each other.
    """
    await check_access(connection)
    admin = AIOKafkaAdminClient(**connection.client_options(), request_timeout_ms=10_000)
    try:
        await admin.start()
    except (KafkaError, OSError):
        await admin.close()
        raise Unavailable("kafka") from None  # noqa: EM101
    return admin
