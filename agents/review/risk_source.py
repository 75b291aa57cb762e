"""Read the red and yellow notes of the stream, and their originals, into a work list."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deidstream.agents.review.original_search import FoundOriginal, NotePseudonyms, OriginalSearch
from deidstream.agents.review.stream_risk import LatestRisks, StreamRisk, read_risk
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.runtime.policy_files import read_policies, read_tenants
from deidstream.schemas.outcome import RiskLevel
from deidstream.stream.kafka.topic_reader import Bounds, TopicReader

if TYPE_CHECKING:
    from deidstream.agents.runtime.root_keys import RootKeys
    from deidstream.agents.settings import Settings

MOST_READ = 100_000
"""Risk records that are read, of all partitions together: the newest."""
LONGEST_WAIT = 7 * 86_400
"""Seconds that a note may have waited for a worker: its original is not looked for further back."""
SEARCH_SECONDS = 60.0
"""How long originals are looked for."""


@dataclass(frozen=True, slots=True)
class RiskChoice:
    """Which notes are meant."""

    levels: frozenset[RiskLevel]
    hours: float
    """Their risk was written in this many hours before now."""
    most: int
    """At most so many, the newest."""


@dataclass(frozen=True, slots=True)
class RiskyNote:
    """A red or yellow note of the stream."""

    risk: StreamRisk
    original: FoundOriginal | None
    """``None`` where it was not found."""


@dataclass(frozen=True, slots=True)
class RiskyNotes:
    """What was found."""

    notes: Sequence[RiskyNote]
    """The newest first."""
    total: int
    """How many there are, with those that are not among ``notes``."""
    whole_span: bool
    """Whether all records of the time were read, or only the newest of them."""
    whole_search: bool
    """Whether every message that may be an original was looked at."""


async def read_risky(settings: "Settings", keys: "RootKeys", choice: RiskChoice) -> RiskyNotes:
    """Read the notes whose latest risk record has one of the levels, with their originals.

    A note that was taken back is left out, also where only the input topic says so yet.

    Raises:
        Refused: A policy, or the file of tenants, is wrong.
        Unavailable: Kafka cannot be reached, or does not have the topics.
    """
    kafka, connection = settings.kafka, kafka_connection(settings.kafka)
    tenants = await asyncio.to_thread(read_tenants, settings.policies_file)
    policies = await asyncio.to_thread(read_policies, settings)
    async with TopicReader.open(connection, kafka.risk_topic) as reader:
        span = await reader.bounds_since(time.time() - choice.hours * 3_600)
        window = take_newest(span, MOST_READ)
        latest = LatestRisks(choice.levels)
        async for records in reader.read_between(window):
            for record in records:
                risk = read_risk(record.value, record.timestamp / 1_000)
                if risk is not None:
                    latest.add(risk)
    chosen = latest.newest()
    newest = chosen[: choice.most]
    wanted = frozenset(risk.note_id for risk in newest)
    pseudonyms = NotePseudonyms(keys, tenants, policies)
    search = OriginalSearch(pseudonyms, wanted, settings.worker.note_bytes)
    searched = True
    if newest:
        async with TopicReader.open(connection, kafka.raw_topic) as raw:
            searched = await search.search(raw, newest[-1].seconds - LONGEST_WAIT, SEARCH_SECONDS)
    notes = [RiskyNote(risk, search.found.get(risk.note_id)) for risk in newest]
    held = [one for one in notes if one.original is None or not one.original.note.cancelled]
    return RiskyNotes(held, len(chosen), window == span, searched)


def take_newest(bounds: Mapping[int, Bounds], most: int) -> dict[int, Bounds]:
    """Return the bounds of the newest records, as many of each partition.

    >>> take_newest({0: Bounds(0, 90), 1: Bounds(7, 9)}, 20)
    {0: Bounds(first=80, end=90), 1: Bounds(first=7, end=9)}
    """
    each = max(1, most // max(1, len(bounds)))
    return {
        number: Bounds(max(one.first, one.end - each), one.end) for number, one in bounds.items()
    }
