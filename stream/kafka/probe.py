"""Ask Kafka regularly whether it is there, also when there is nothing to read or send.

Faust's consumer keeps its partitions without a broker and says nothing, and a producer waits in
silence for a topic that was deleted; a small request of our own for the metadata of the topics
shows both within seconds.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.connection import KafkaConnection

TIMEOUT_MILLISECONDS = 5_000


@dataclass(slots=True)
class KafkaProbe:
    """Asks for the metadata of topics, over a connection that is kept."""

    connection: KafkaConnection
    topics: Sequence[str]
    _client: AIOKafkaClient | None = field(default=None, repr=False)

    async def ask(self) -> tuple[str, ...]:
        """Return the topics that do not exist, or of which a partition has no leader.

        Raises:
            Unavailable: No broker answers.
        """
        try:
            client = self._client or await self._connect()
            answered: bool = await client.force_metadata_update()
        except (KafkaError, OSError):
            answered = False
        if not answered or self._client is None:
            # All brokers may have other addresses when they are back.
            await self.close()
            raise Unavailable("kafka")  # noqa: EM101
        return tuple(each for each in self.topics if not _is_served(self._client.cluster, each))

    async def close(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(KafkaError, OSError):
                await client.close()

    async def _connect(self) -> AIOKafkaClient:
        client = AIOKafkaClient(
            **self.connection.client_options(), request_timeout_ms=TIMEOUT_MILLISECONDS
        )
        self._client = client
        await client.bootstrap()
        client.set_topics(self.topics)
        return client


def _is_served(cluster: Any, topic: str) -> bool:  # noqa: ANN401 - aiokafka has no types
    partitions = cluster.partitions_for_topic(topic)
    return bool(partitions) and bool(cluster.available_partitions_for_topic(topic) == partitions)
