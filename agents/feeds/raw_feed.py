"""Put records into the input topic: all that wait are sent together, in the order of arrival.

A record counts as stored when all replicas in sync have it.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.schemas.errors import Refused, Unavailable
from deidstream.stream.delivery.failures import KAFKA, DeliveryFailed, OversizeRecords
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.observing.logs import Logger

LOG = Logger("feed")
MOST_TOGETHER = 256


@dataclass(frozen=True, slots=True)
class _PutRecords:
    records: Sequence[TopicRecord] = field(repr=False)
    stored: asyncio.Future[None]


@dataclass(slots=True)
class RawFeed:
    """Puts records into the input topic for several senders at once."""

    producer: KafkaProducer
    seconds: float
    """Longest wait for the broker."""
    _waiting: asyncio.Queue[_PutRecords] = field(default_factory=asyncio.Queue[_PutRecords])

    async def put(self, records: Sequence[TopicRecord]) -> None:
        """Put records into the topic in order, and wait until the broker has them.

        Raises:
            Unavailable: The broker has not confirmed them; it may have some.
            OversizeRecords: The topic does not take one of them.
        """
        stored = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(_PutRecords(records, stored))
        await stored

    async def run(self) -> None:
        """Send what waits, until cancelled.

        An error that is not of Kafka ends it; no waiting record then counts as stored.
        """
        while True:
            group = [await self._waiting.get()]
            while len(group) < MOST_TOGETHER and not self._waiting.empty():
                group.append(self._waiting.get_nowait())
            await self._send(group)

    async def _send(self, group: Sequence[_PutRecords]) -> None:
        try:
            await self._send_records([record for one in group for record in one.records])
        except OversizeRecords as oversize:
            if len(group) == 1:
                _fail(group, oversize)
                return
            # One by one, so that only the sender of the record that is too large is refused.
            for one in group:
                await self._send([one])
        except (Refused, Unavailable) as error:
            _fail(group, error)
        else:
            for one in group:
                _settle(one.stored)

    async def _send_records(self, records: Sequence[TopicRecord]) -> None:
        try:
            async with asyncio.timeout(self.seconds):
                await self.producer.send(records)
        except TimeoutError:
            raise Unavailable(KAFKA) from None
        except DeliveryFailed as failed:
            LOG.warning("delivery-failed", kind=failed.kind)
            raise Unavailable(KAFKA) from None

    async def stop(self) -> None:
        """Disconnect."""
        with contextlib.suppress(Unavailable):
            await self.producer.stop()


def _settle(stored: asyncio.Future[None]) -> None:
    if not stored.done():
        stored.set_result(None)


def _fail(group: Sequence[_PutRecords], error: Exception) -> None:
    for one in group:
        if not one.stored.done():
            one.stored.set_exception(error)
