"""Sends records to Kafka and waits until the broker has them."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, MessageSizeTooLargeError

from deidstream.schemas.errors import Unavailable

STOP_SECONDS = 5


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """One record on its way to a topic."""

    topic: str
    key: bytes | None = field(repr=False)
    value: bytes = field(repr=False)


class OversizeRecord(Exception):
    """The broker's size limit is below this record; it will never accept it."""


@dataclass(frozen=True, slots=True)
class KafkaProducer:
    """An acks=all producer. Order per key is the order of the calls."""

    client: AIOKafkaProducer

    @classmethod
    async def start(cls, brokers: str, *, idempotent: bool = True) -> "KafkaProducer":
        """Connect.

        Raises:
            Unavailable: Kafka is unavailable.
        """
        client = AIOKafkaProducer(
            bootstrap_servers=brokers,
            acks="all",
            enable_idempotence=idempotent,
            linger_ms=2,
            max_request_size=16 * 2**20,
            request_timeout_ms=15_000,
        )
        try:
            await client.start()
        except (KafkaError, OSError):
            await client.stop()
            raise Unavailable("kafka") from None  # noqa: EM101
        return cls(client)

    async def send(self, records: Sequence[TopicRecord]) -> None:
        """Send records and wait for the broker to confirm them all.

        Raises:
            OversizeRecord: A record is over the size limit; the others may have been sent.
            Unavailable: Some were not confirmed; sending the same bytes again is harmless.
        """
        try:
            futures = [await self.client.send(r.topic, r.value, key=r.key) for r in records]
        except MessageSizeTooLargeError:
            raise OversizeRecord from None
        except (KafkaError, OSError):
            raise Unavailable("kafka") from None  # noqa: EM101
        _refuse(await asyncio.gather(*futures, return_exceptions=True))

    async def stop(self) -> None:
        """Send what is buffered, for as long as that may take, then disconnect."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.client.stop(), STOP_SECONDS)


def _refuse(answers: Sequence[object]) -> None:
    failures = [answer for answer in answers if isinstance(answer, BaseException)]
    if any(isinstance(failure, MessageSizeTooLargeError) for failure in failures):
        raise OversizeRecord
    if failures:
        raise Unavailable("kafka")  # noqa: EM101
