"""Ask Kafka regularly whether it is there, also when there is nothing to read or send.

Faust's consumer keeps its partitions without a broker and says nothing; a small request of
our own for the metadata of one topic shows it within seconds.
"""

import contextlib
from dataclasses import dataclass, field

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.connection import KafkaConnection

TIMEOUT_MILLISECONDS = 5_000


@dataclass(slots=True)
class KafkaProbe:
    """Asks for the metadata of one topic, over a connection that is kept."""

    connection: KafkaConnection
    topic: str
    _client: AIOKafkaClient | None = field(default=None, repr=False)

    async def ask(self) -> bool:
        """Return whether every partition of the topic has a leader.

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
        cluster = self._client.cluster
        partitions = cluster.partitions_for_topic(self.topic)
        return bool(partitions) and cluster.available_partitions_for_topic(self.topic) == partitions

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
        client.set_topics([self.topic])
        return client
