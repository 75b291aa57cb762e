"""When reversible records are written."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from deidstream.agents.runtime.long_notes import LongNotes
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.runtime.stream_agent import StreamAgent
from deidstream.models.neural.model_turn import work_beside
from deidstream.models.reidentification.reversible_record import matches_mark
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Place
from deidstream.schemas.ports import SealedRecord
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing.health import Health
from support.delivery import assigned_outbox, message_read
from support.pipeline import service
from support.reversible_site import TEXT, quick

ROOT = bytes(range(32))


@dataclass(slots=True)
class Told:
    """What happened, in order."""

    events: list[str] = field(default_factory=list[str])

    async def deliver(
        self, records: Sequence[TopicRecord], offsets: Mapping[Place, int], _: Membership
    ) -> None:
        self.events += [record.topic for record in records]
        self.events.append(f"committed {dict(offsets)}")

    async def keep(self, records: Sequence[SealedRecord], mark: bytes, seconds: int) -> None:
        assert matches_mark(ROOT, mark)
        self.events.append(f"kept {bool(records)} {seconds}")


def test_a_resource_has_its_records_as_a_note_has() -> None:
    resource = {
        "resourceType": "Observation",
        "id": "o1",
        "subject": {"reference": "Patient/p1"},
        "valueString": TEXT,
    }
    kept: list[SealedRecord] = []

    class Store:
        async def keep(self, records: Sequence[SealedRecord], _mark: bytes, _seconds: int) -> None:
            kept.extend(records)

    async def run() -> None:
        values = [json.dumps(resource).encode()]
        outcomes = await service(quick()).run(values)
        assert isinstance(outcomes[0], Anonymized)
        writer = ReversibleWriter(cast("Any", Store()), RootKeys(1, {1: ROOT}), 7, Health(60))
        await writer.write(values, outcomes)

    asyncio.run(run())
    assert kept


def test_records_are_written_before_their_outputs() -> None:
    told, health = Told(), Health(60)
    writer = ReversibleWriter(cast("Any", told), RootKeys(1, {1: ROOT}), 7, health)
    value = encode_note(RawNote("n1", "P1", TEXT))

    class Stream:
        enable_acks = False

        async def events(self) -> Any:
            yield SimpleNamespace(value=value, message=message_read("raw", 0, 3))

    async def run() -> None:
        outbox = assigned_outbox(cast("Any", told), {("raw", 0): 3}, health=health)
        made = service(quick())
        long_notes = LongNotes(made, Lane.of_one(work_beside))
        agent = StreamAgent(made, long_notes, outbox, health, 4, 0.1, writer)
        await agent.consume(cast("Any", Stream()))
        assert await agent.drain(30)

    asyncio.run(run())
    assert told.events == ["kept True 7", "anonymized", "risk", "committed {('raw', 0): 4}"]
