"""Keep a table of notes up with the output topics, to their present ends or until stopped.

Memory is bounded: parts that wait for others, and rows that wait to be written, are limited. A
topic that is far ahead of the others is not read until they have come nearer.
"""

import asyncio
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from deidstream.agents.tables.note_join import NoteJoin
from deidstream.agents.tables.note_table import NoteTable, Positions, Written
from deidstream.agents.tables.output_parts import InvalidRecord, PartKind, read_part
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.outcome import Coordinates, Place
from deidstream.stream.kafka.partition_reader import PartitionReader
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("export")
MOST_CHANGES = 5_000
"""Rows that are written together."""
MOST_BYTES = 64 * 1024 * 1024
"""Bytes of the records that are read before rows are written."""
AHEAD = 5_000
"""A topic is not read on while so many of its parts wait for the other topics."""
MOST_WAITING = 20_000
"""Beyond so many waiting parts the oldest are given up: their counterparts will hardly come."""
WRITE_SECONDS = 5.0
"""While the export follows the topics, rows wait no longer than this."""
SILENT_SECONDS = 30.0
"""Kafka counts as unavailable after this time without progress towards the ends."""


@dataclass(slots=True)
class ExportTally:
    """What an export has done."""

    records: int = 0
    skipped: int = 0
    """Records that do not belong to their topic."""
    given_up: int = 0
    written: Written = field(default_factory=Written)
    waiting: int = 0
    """Parts whose others have not come."""


@dataclass(slots=True)
class TableExport:
    """Reads topics into a table."""

    table: NoteTable
    reader: PartitionReader
    kinds: Mapping[str, PartKind]
    """The part that each topic has."""
    tally: ExportTally = field(default_factory=ExportTally)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to end an export that follows the topics."""
    join: NoteJoin = field(init=False)
    _bytes: int = 0
    _next: dict[Place, int] = field(default_factory=dict[Place, int])
    _stored: Positions = field(default_factory=dict[Place, int])
    _written_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Begin with nothing that waits."""
        self.join = NoteJoin(frozenset(self.kinds.values()))

    async def run(self, *, follow: bool) -> ExportTally:
        """Read on from where the table was left.

        Args:
            follow: Go on at the ends of the topics, until ``stopping`` is set.

        Raises:
            Unavailable: Kafka or the database cannot be reached; what was written stays.
            Refused: A topic was deleted and created again.
        """
        stored = self.table.positions(self.reader.places())
        self._stored = stored
        for gap in await self.reader.seek(stored):
            LOG.warning("deleted-unread", topic=gap.first.topic, count=gap.count)
        for place in self.reader.places():
            self._next[place] = await self.reader.position(place)
        if follow:
            while not self.stopping.is_set():
                await self._read_some(await self.reader.ends())
        else:
            await self._read_to(await self.reader.ends())
            if self.join.count_waiting():
                # Records of one transaction become readable one topic after another.
                await self._read_to(await self.reader.ends())
        await self._write()
        return self.tally

    async def _read_to(self, ends: Mapping[Place, int]) -> None:
        progressed_at = time.monotonic()
        while left := [place for place, end in ends.items() if self._next[place] < end]:
            before = dict(self._next)
            await self._read_some({place: ends[place] for place in left})
            if self._next != before:
                progressed_at = time.monotonic()
            elif time.monotonic() - progressed_at > SILENT_SECONDS:
                raise Unavailable("kafka")  # noqa: EM101

    async def _read_some(self, ends: Mapping[Place, int]) -> None:
        """Take the next records; write when they are many or the last writing is long ago."""
        for record in await self.reader.poll(self._choose(ends)):
            self._take(record)
        for place in ends:
            # Markers of transactions are read over without being returned.
            self._next[place] = await self.reader.position(place)
            metrics.gauge(
                "deid_table_lag", max(0, ends[place] - self._next[place]), *map(str, place)
            )
        full = len(self.join.changes) >= MOST_CHANGES or self._bytes >= MOST_BYTES
        if full or time.monotonic() - self._written_at >= WRITE_SECONDS:
            await self._write()

    def _choose(self, ends: Mapping[Place, int]) -> Collection[Place]:
        """Leave out topics that are far ahead of the others, unless nothing else is left."""
        behind = [place for place in ends if self.join.count_waiting(self.kinds[place[0]]) < AHEAD]
        unread = [place for place in behind if self._next.get(place, 0) < ends[place]]
        return behind if unread else list(ends)

    def _take(self, record: Any) -> None:  # noqa: ANN401 - aiokafka has no types
        self.tally.records += 1
        self._bytes += len(record.value or b"")
        source = Coordinates(record.topic, record.partition, record.offset)
        try:
            part = read_part(self.kinds[record.topic], record.value)
        except InvalidRecord:
            self.tally.skipped += 1
            metrics.count("deid_table_skipped_total", record.topic)
            LOG.warning(
                "record-skipped",
                topic=source.topic,
                partition=source.partition,
                offset=source.offset,
            )
            return
        self.join.take(part, source)

    async def _write(self) -> None:
        """Write what changed, and the positions from which all that waits is read again."""
        notes = [*self.join.open_notes()]
        self.join.settle(await asyncio.to_thread(self.table.find, notes) if notes else {})
        given_up = self.join.give_up_oldest(MOST_WAITING)
        if given_up:
            self.tally.given_up += len(given_up)
            LOG.warning("parts-given-up", count=len(given_up), topic=given_up[0].topic)
        positions = self._next | self.join.first_waiting()
        changes = self.join.take_changes()
        self._bytes, self._written_at = 0, time.monotonic()
        self.tally.waiting = self.join.count_waiting()
        metrics.gauge("deid_table_waiting", self.tally.waiting)
        if not changes and positions == self._stored:
            return
        written = await asyncio.to_thread(self.table.apply, changes, positions)
        self.tally.written += written
        metrics.count("deid_table_rows_total", "written", by=written.rows)
        metrics.count("deid_table_rows_total", "deleted", by=written.deleted)
        self._stored = positions
