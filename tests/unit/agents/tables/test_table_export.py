"""An export says of records that wait how many they are, also where it has nothing to write."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from deidstream.agents.tables.note_join import NoteState, RowChange
from deidstream.agents.tables.note_table import Positions, Written
from deidstream.agents.tables.output_parts import PartKind
from deidstream.agents.tables.table_export import ExportTally, TableExport
from deidstream.schemas.outcome import Place
from deidstream.stream.observing import metrics
from support.output_records import TOPICS, SampleNote, placed

KINDS = {TOPICS[PartKind.NOTE]: PartKind.NOTE, TOPICS[PartKind.RISK]: PartKind.RISK}


@dataclass
class Topics:
    """Records by place; a reader of them goes where it is told to."""

    records: Mapping[Place, Sequence[Any]]
    at: dict[Place, int] = field(default_factory=dict[Place, int])

    def places(self) -> list[Place]:
        return sorted(self.records)

    async def ends(self) -> dict[Place, int]:
        return {place: len(records) for place, records in self.records.items()}

    async def seek(self, positions: Mapping[Place, int]) -> list[Any]:
        self.at = {place: positions.get(place, 0) for place in self.records}
        return []

    async def position(self, place: Place) -> int:
        return self.at[place]

    async def poll(self, places: Collection[Place]) -> list[Any]:
        found = [each for place in places for each in self.records[place][self.at[place] :]]
        self.at |= {place: len(self.records[place]) for place in places}
        return found


@dataclass
class Table:
    """A table that keeps positions alone."""

    stored: dict[Place, int] = field(default_factory=dict[Place, int])

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        return {place: at for place, at in self.stored.items() if place in places}

    def find(self, _note_ids: Collection[str]) -> dict[str, NoteState]:
        return {}

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        self.stored = dict(positions)
        return Written(len(changes), 0)

    def close(self) -> None:
        pass


def topics(kinds: Collection[PartKind]) -> Topics:
    """The records of three notes in some of the topics."""
    records: dict[Place, list[Any]] = {(topic, 0): [] for topic in KINDS}
    for kind in kinds:
        for offset, (_, value) in enumerate(placed([SampleNote(3 * n) for n in range(3)], kind)):
            record = SimpleNamespace(topic=TOPICS[kind], partition=0, offset=offset, value=value)
            records[TOPICS[kind], 0].append(record)
    return Topics(records)


def run(table: Table, kinds: Collection[PartKind]) -> ExportTally:
    export = TableExport(table, topics(kinds), KINDS)  # type: ignore[arg-type]
    return asyncio.run(export.run(follow=False))


def waiting() -> float:
    (shown,) = metrics.read_series()["deid_table_waiting"].values()
    return shown


def test_what_waits_is_counted_again_where_there_is_nothing_to_write() -> None:
    table = Table()
    for _ in range(2):
        assert run(table, [PartKind.NOTE]).waiting == 3
        assert waiting() == 3
    told = run(table, [PartKind.NOTE, PartKind.RISK])
    assert (told.waiting, told.written.rows, waiting()) == (0, 3, 0)
