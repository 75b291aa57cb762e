"""Read the originals of dead letters again, from the topic that they name."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deidstream.agents.quarantine.selection import Entry
from deidstream.schemas.outcome import Coordinates
from deidstream.stream.kafka.topic_reader import Bounds, TopicReader


@dataclass(frozen=True, slots=True)
class RawMessage:
    """A message of the raw topic, and the entry that names it."""

    entry: Entry
    record: Any


def is_held(source: Coordinates, topic: str, bounds: Mapping[int, Bounds]) -> bool:
    """Return whether the topic may still hold the original."""
    bound = bounds.get(source.partition)
    return source.topic == topic and bound is not None and bound.first <= source.offset < bound.end


async def read_originals(
    reader: TopicReader, topic: str, entries: Iterable[Entry]
) -> AsyncIterator[RawMessage]:
    """Yield the entries of ``topic`` whose originals it still holds, by partition and offset.

    Raises:
        Unavailable: Kafka cannot be reached.
    """
    bounds = await reader.bounds()
    by_partition: defaultdict[int, dict[int, Entry]] = defaultdict(dict)
    for entry in entries:
        source = entry.letter.source
        if is_held(source, topic, bounds):
            by_partition[source.partition][source.offset] = entry
    for partition, held in sorted(by_partition.items()):
        async for record in reader.read_offsets(partition, sorted(held)):
            yield RawMessage(held[record.offset], record)


async def read_original(reader: TopicReader, topic: str, entry: Entry) -> bytes | None:
    """Return the original of one entry; ``None`` if it is gone.

    Raises:
        Unavailable: Kafka cannot be reached.
    """
    found: Sequence[RawMessage] = [o async for o in read_originals(reader, topic, [entry])]
    return bytes(found[0].record.value or b"") if found else None
