"""Send records to Kafka in order: at most one attempt of a record is under way, whatever happens.

The records of a partition leave in the order of the calls, also over an outage: a later record is
never sent before an earlier one is confirmed or sent again.
"""

# aiokafka has no public way to drop what is buffered.
# pyright: reportPrivateUsage=false

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaTimeoutError, MessageSizeTooLargeError

from deidstream.stream.delivery.failures import (
    CLIENT_ERRORS,
    OversizeRecords,
    failure_of,
)
from deidstream.stream.kafka.connection import REQUEST_SECONDS, KafkaConnection
from deidstream.stream.kafka.diagnosis import check_access

BATCH_BYTES = 16 * 2**10
"""Longest batch of several records; it must not be longer than the topic takes."""
STOP_SECONDS = 5


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """One record on its way to a topic."""

    topic: str
    key: bytes | None = field(repr=False)
    value: bytes = field(repr=False)
    headers: tuple[tuple[str, bytes], ...] = ()


async def start_client(connection: KafkaConnection, **options: Any) -> AIOKafkaProducer:  # noqa: ANN401
    """Start a producer client with acks from all replicas.

    Raises:
        Unavailable: Kafka is unavailable.
        DeliveryFailed: Kafka refuses.
    """
    client = AIOKafkaProducer(**connection.producer_options(), linger_ms=2, **options)
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            await client.start()
    except CLIENT_ERRORS as error:
        await abandon(client)
        raise failure_of(error) from None
    return client


async def abandon(client: AIOKafkaProducer) -> None:
    """End a producer client and send nothing more of what it holds."""
    # ``stop`` would first send what is buffered, and a later producer sends that again.
    client._closed = True  # noqa: SLF001 - aiokafka has no other way to drop what is buffered
    sending = client._sender.sender_task  # noqa: SLF001
    if sending is not None:
        sending.cancel()
    with contextlib.suppress(*CLIENT_ERRORS):
        await asyncio.wait_for(client.client.close(), STOP_SECONDS)
    if sending is not None:
        await asyncio.wait({sending}, timeout=STOP_SECONDS)


async def hand_over(client: AIOKafkaProducer, records: Sequence[TopicRecord]) -> list[Any]:
    """Hand records to a client in order; return the futures of their confirmations.

    Raises:
        KafkaError: The client refuses one.
    """
    futures: list[Any] = []
    for record in records:
        future = None
        while future is None:
            # When the buffer is full, a later record must not pass this one.
            with contextlib.suppress(KafkaTimeoutError):
                future = await _hand_over_one(client, record)
        futures.append(future)
    return futures


async def _hand_over_one(client: AIOKafkaProducer, record: TopicRecord) -> Any:  # noqa: ANN401
    try:
        return await client.send(
            record.topic, record.value, key=record.key, headers=list(record.headers)
        )
    except MessageSizeTooLargeError as error:
        refused = asyncio.get_running_loop().create_future()
        refused.set_exception(error)
        return refused


async def await_confirmed(
    records: Sequence[TopicRecord], futures: Sequence[Any], confirmed: list[TopicRecord]
) -> None:
    """Wait for the confirmations of records.

    Args:
        records: The records.
        futures: Their confirmations.
        confirmed: Gets the records that the broker has.

    Raises:
        OversizeRecords: The limit of the broker or of the client is below some.
        KafkaError: The first other error.
    """
    answers = await asyncio.gather(*futures, return_exceptions=True)
    errors = {n: each for n, each in enumerate(answers) if isinstance(each, BaseException)}
    confirmed += [record for n, record in enumerate(records) if n not in errors]
    large = {n for n, error in errors.items() if isinstance(error, MessageSizeTooLargeError)}
    if large:
        raise OversizeRecords(frozenset(large))
    for error in errors.values():
        raise error


@dataclass(slots=True)
class KafkaProducer:
    """A producer without transactions. It renews itself after an error that aiokafka keeps."""

    connection: KafkaConnection
    idempotent: bool = True
    batch_bytes: int = BATCH_BYTES
    _client: AIOKafkaProducer | None = None

    @classmethod
    async def start(
        cls, connection: KafkaConnection, *, idempotent: bool = True
    ) -> "KafkaProducer":
        """Connect.

        Raises:
            Unavailable: Kafka is unavailable.
            InvalidSettings: Kafka and this client do not accept each other.
        """
        await check_access(connection)
        producer = cls(connection, idempotent)
        await producer.connect()
        return producer

    async def send(
        self, records: Sequence[TopicRecord], confirmed: list[TopicRecord] | None = None
    ) -> None:
        """Send records in order and wait for the broker to confirm them all.

        While the broker is away, an idempotent client keeps what it holds and sends it in order
        when the broker is back; so nothing is sent twice then.

        Args:
            records: What is sent.
            confirmed: Gets the records that the broker has, also when others failed.

        Raises:
            OversizeRecords: Some are over the size limit; the others may have been sent.
            Unavailable: Some were not confirmed; sending the same bytes again is harmless.
            DeliveryFailed: The same, after an error that the client would keep.
        """
        kept = [] if confirmed is None else confirmed
        try:
            await self._send(records, kept)
        except OversizeRecords as oversize:
            if len(oversize.records) == 1 or self.batch_bytes == 1:
                raise
            # Refused together, in one batch, they may be accepted apart.
            self.batch_bytes = 1
            known = {id(record) for record in kept}
            left = [n for n, record in enumerate(records) if id(record) not in known]
            try:
                await self._send([records[number] for number in left], kept)
            except OversizeRecords as alone:
                raise OversizeRecords(frozenset(left[n] for n in alone.records)) from None

    async def _send(self, records: Sequence[TopicRecord], confirmed: list[TopicRecord]) -> None:
        usable = False
        try:
            client = await self.connect()
            await await_confirmed(records, await hand_over(client, records), confirmed)
            usable = True
        except CLIENT_ERRORS as error:
            raise failure_of(error) from None
        finally:
            # After a refused record an idempotent client would leave its number out for ever.
            if not usable:
                await self.drop()

    async def connect(self) -> AIOKafkaProducer:
        """Return the client; after an error, one with a new producer id.

        Raises:
            Unavailable: Kafka is unavailable.
        """
        if self._client is None:
            self._client = await start_client(
                self.connection,
                enable_idempotence=self.idempotent,
                max_batch_size=self.batch_bytes,
            )
        return self._client

    async def drop(self) -> None:
        """End the client, and send nothing more of what it holds."""
        client, self._client = self._client, None
        if client is not None:
            await abandon(client)

    async def stop(self) -> None:
        """Send what is buffered, for as long as that may take, then disconnect."""
        if self._client is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._client.stop(), STOP_SECONDS)
