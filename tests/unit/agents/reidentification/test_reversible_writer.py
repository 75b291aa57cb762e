"""When reversible records are written."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from deidstream.agents.reidentification.reversible_writer import ReversibleWriter
from deidstream.agents.root_keys import RootKeys
from deidstream.agents.stream_agent import StreamAgent
from deidstream.models.reidentification.reversible_record import matches_mark
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import SealedRecord
from deidstream.schemas.wire import encode_note
from deidstream.stream.health import Health
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.outbox import Outbox, TopicRecord
from support.notes import stamp
from support.pipeline import service
from support.reversible_site import TEXT, quick

ROOT = bytes(range(32))


@dataclass(slots=True)
class Told:
    """What happened, in order."""

    events: list[str] = field(default_factory=list[str])

    async def send(self, records: Sequence[TopicRecord]) -> None:
        self.events += [record.topic for record in records]

    async def keep(self, records: Sequence[SealedRecord], mark: bytes, seconds: int) -> None:
        assert matches_mark(ROOT, mark)
        self.events.append(f"kept {bool(records)} {seconds}")

    async def ack(self, _: object) -> bool:
        self.events.append("acked")
        return True


def test_records_are_written_between_confirmation_and_acknowledgement() -> None:
    told, health = Told(), Health(60)
    writer = ReversibleWriter(cast("Any", told), RootKeys(1, {1: ROOT}), 7, health)
    outbox = Outbox(told, Topics("raw", "out", "risk", "letters", None), stamp(), health)
    agent = StreamAgent(service(quick()), outbox, health, 4, 0.1, writer)
    message = SimpleNamespace(topic="raw", partition=0, offset=3, timestamp=None)
    value = encode_note(RawNote("n1", "P1", TEXT))

    class Stream:
        enable_acks = False

        async def noack_take(self, *_: object, **__: object) -> Any:
            yield [SimpleNamespace(value=value, message=message)]

        async def ack(self, event: object) -> bool:
            return await told.ack(event)

    async def run() -> None:
        await agent.consume(cast("Any", Stream()))
        assert await agent.drain(30)

    asyncio.run(run())
    assert told.events == ["out", "risk", "kept True 7", "acked"]
