"""Read how long a record of each topic may be."""

from collections.abc import Collection
from typing import Any

from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError

from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import connect_admin
from deidstream.stream.observing.logs import Logger

LOG = Logger("topics")
SETTING = "max.message.bytes"
MORE_BYTES = 64 * 1024
"""What an output may have more than its note: longer surrogates, and what is stated beside."""


async def read_size_limits(connection: KafkaConnection, topics: Collection[str]) -> dict[str, int]:
    """Read the longest record that each topic takes, where Kafka says so.

    Without the right to describe the settings of a topic nothing is known; then only the broker's
    refusal shows that a record is too long.

    Raises:
        Unavailable: Kafka is unavailable.
    """
    admin = await connect_admin(connection)
    asked = [ConfigResource(ConfigResourceType.TOPIC, name, {SETTING: ""}) for name in topics]
    try:
        answers: list[Any] = await admin.describe_configs(asked)
    except (KafkaError, OSError, NotImplementedError, TimeoutError) as error:
        LOG.warning("size-limits-unknown", kind=type(error).__name__)
        return {}
    finally:
        await admin.close()
    return {
        name: int(value)
        for answer in answers
        for _, _, _, name, entries in answer.resources
        for setting, value, *_ in entries
        if setting == SETTING
    }


def too_small(limits: dict[str, int], outputs: Collection[str], note_bytes: int) -> dict[str, int]:
    """Return the limits of topics that may not take the output of the longest note."""
    return {
        topic: limits[topic]
        for topic in outputs
        if limits.get(topic, note_bytes + MORE_BYTES) < note_bytes + MORE_BYTES
    }
