"""Send records in transactions: a reader of committed records sees all of one, or nothing."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, MessageSizeTooLargeError, ProducerFenced

from deidstream.schemas.errors import Refused, Unavailable
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.diagnosis import check_access

FENCED = "another process has taken over; what it left is shown by 'deidstream quarantine list'"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record on its way, to a partition of the sender's choice or by its key."""

    topic: str
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    partition: int | None = None
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class TransactionalSender:
    """Sends groups of records; the last process that starts with a name locks out the others."""

    client: AIOKafkaProducer

    @classmethod
    @asynccontextmanager
    async def open(
        cls, connection: KafkaConnection, name: str
    ) -> "AsyncGenerator[TransactionalSender]":
        """Connect under a transactional id; what another had begun under it is aborted.

        Raises:
            Unavailable: Kafka cannot be reached, or refuses transactions.
            Refused: Another process has taken the id over, or Kafka does not accept this client.
        """
        await check_access(connection)
        client = AIOKafkaProducer(**connection.producer_options(), transactional_id=name)
        try:
            await client.start()
            yield cls(client)
        except ProducerFenced:
            raise Refused(FENCED) from None
        except (KafkaError, OSError):
            raise Unavailable("kafka") from None  # noqa: EM101
        finally:
            await client.stop()

    async def send(self, records: Sequence[Outgoing]) -> None:
        """Send records in one transaction.

        Raises:
            Refused: A record is over the size limit of its topic; none was sent.
        """
        try:
            async with self.client.transaction():
                sent = [
                    await self.client.send(
                        record.topic,
                        record.value,
                        key=record.key,
                        partition=record.partition,
                        headers=list(record.headers),
                    )
                    for record in records
                ]
                for confirmed in sent:
                    await confirmed
        except MessageSizeTooLargeError:
            msg = "a record is over the size limit of its topic; this group was not sent"
            raise Refused(msg) from None
