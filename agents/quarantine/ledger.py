"""Read the quarantine topic: which dead letters are open, and what was done with the others."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from deidstream.agents.quarantine.selection import Entry, Selection
from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.outcome import Coordinates
from deidstream.schemas.quarantine_record import (
    Mark,
    decode_quarantine_record,
)
from deidstream.stream.kafka.topic_reader import TopicReader


@dataclass(slots=True)
class Ledger:
    """All dead letters of the quarantine topic, by the coordinates of their originals."""

    entries: dict[Coordinates, Entry] = field(default_factory=dict[Coordinates, Entry])
    foreign: int = 0
    """Records that are no dead letters of ours."""
    _marks: dict[Coordinates, tuple[Mark, float]] = field(
        default_factory=dict[Coordinates, tuple[Mark, float]]
    )
    _pipelines: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])

    def add(self, value: bytes, seconds: float) -> None:
        """Add a record; the order of partitions does not matter."""
        record = decode_quarantine_record(value)
        if record is None:
            self.foreign += 1
            return
        source = record.source
        if record.mark is not None:
            if source not in self._marks or self._marks[source][1] <= seconds:
                self._marks[source] = (record.mark, seconds)
        else:
            # One pipeline made most of them: its stamp is kept once.
            stamp = self._pipelines.setdefault(record.pipeline, record.pipeline)
            held = self.entries.get(source)
            if held is None or held.seconds <= seconds:
                self.entries[source] = Entry(replace(record, pipeline=stamp), seconds)
        if source in self._marks and source in self.entries:
            mark, marked = self._marks[source]
            self.entries[source] = replace(self.entries[source], mark=mark, marked_seconds=marked)

    def select(self, selection: Selection) -> Iterator[Entry]:
        """Yield the selected entries, by topic, partition and offset."""
        for source in sorted(self.entries, key=lambda s: (s.topic, s.partition, s.offset)):
            if selection.holds(self.entries[source]):
                yield self.entries[source]

    def unknown(self, places: Collection[Coordinates]) -> list[Coordinates]:
        """Return the places that have no dead letter."""
        return [place for place in places if place not in self.entries]


async def read_ledger(reader: TopicReader) -> Ledger:
    """Read the quarantine topic up to its present end.

    Raises:
        Unavailable: Kafka cannot be reached.
    """
    ledger = Ledger()
    total = sum(bound.end - bound.first for bound in (await reader.bounds()).values())
    with progress("records") as bar:
        task = bar.add_task("read quarantine", total=total)
        async for records in reader.read_all():
            for record in records:
                ledger.add(record.value or b"", record.timestamp / 1_000)
            bar.advance(task, len(records))
    return ledger
