"""Read the outputs of a measured worker, and note when each came."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import orjson

from deidstream.schemas.errors import Unavailable
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics

POLL_MS = 100


@dataclass(slots=True)
class SeenOutputs:
    """When outputs were seen, by ``time.time``."""

    moments: dict[str, float] = field(default_factory=dict[str, float])
    """By the pseudonym of the note."""
    quarantined: int = 0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def count(self) -> int:
        """Notes that have an outcome."""
        return len(self.moments) + self.quarantined

    def add_records(self, values: Sequence[bytes], *, emitted: bool) -> None:
        """Note the records of one topic: outputs, or letters of quarantined notes."""
        now = time.time()
        for value in values:
            if emitted:
                self.moments.setdefault(str(orjson.loads(value)["note_id"]), now)
            else:
                self.quarantined += 1
        self._news.set()

    async def wait_for(self, count: int, worker: asyncio.subprocess.Process) -> None:
        """Wait until so many notes have an outcome.

        Raises:
            Unavailable: The worker ended before.
        """
        while self.count < count:
            if worker.returncode is not None:
                raise Unavailable("worker")  # noqa: EM101  what cannot be reached
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), 1)


@asynccontextmanager
async def reading_outputs(
    connection: KafkaConnection, topics: Topics
) -> AsyncGenerator[SeenOutputs]:
    """Read output topics in the background."""
    seen = SeenOutputs()
    async with open_committed_consumer(
        connection, [topics.anonymized, topics.quarantine]
    ) as consumer:

        async def read_all() -> None:
            while True:
                found = await consumer.getmany(timeout_ms=POLL_MS)
                for origin, records in found.items():
                    values = [record.value or b"{}" for record in records]
                    seen.add_records(values, emitted=origin.topic == topics.anonymized)

        reading = asyncio.create_task(read_all())
        try:
            yield seen
        finally:
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
