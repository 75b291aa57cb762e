"""Count the messages that retention deleted before they were read.

A consumer whose position is below the first offset of the log continues at the first offset, and
says nothing. A jump between two messages is no proof: transactions and compaction leave gaps too.
It is one where the log now begins behind the position from which the jump was made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Coordinates, Place
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("retention")
MOST_JUMPS = 10_000
"""Jumps kept between two looks; a log with more gaps than that is compacted."""


@dataclass(frozen=True, slots=True)
class Jump:
    """Reading expected one offset and got another, further on."""

    place: Place
    expected: int
    got: int


@dataclass(slots=True)
class RetentionGaps:
    """Follows what is taken; compares jumps with the beginnings of the logs."""

    _jumps: list[Jump] = field(default_factory=list[Jump])
    _read: dict[Place, int] = field(default_factory=dict[Place, int])
    """Position that was read, or counted as lost, while nothing more was lost before it."""
    _idle: dict[Place, int] = field(default_factory=dict[Place, int])
    """Position at the last look, where nothing was in work."""

    def follow(self, sources: Sequence[Coordinates], expected: Mapping[Place, int]) -> None:
        """Record the jumps in messages about to be taken, in the order of their offsets.

        Args:
            sources: Where they lie.
            expected: By partition, the position from which they are taken; -1: none.
        """
        after = dict[Place, int]()
        for source in sources:
            place = source.place
            wanted = after.get(place, expected.get(place, -1))
            if 0 <= wanted < source.offset and len(self._jumps) < MOST_JUMPS:
                self._jumps.append(Jump(place, wanted, source.offset))
            after[place] = source.offset + 1

    def look(
        self,
        taken: Mapping[Place, int],
        read: Mapping[Place, int],
        first: Mapping[Place, int],
        *,
        idle: bool,
    ) -> int:
        """Count what was lost since the last look, log it, and return the count.

        Args:
            taken: By partition, the position after the last message taken; -1: none.
            read: The position of the consumer, asked for before ``first``.
            first: The first offset of the log.
            idle: Whether nothing is in work, so that no message waits between ``read`` and
                ``taken``.
        """
        lost = 0
        jumps, self._jumps = self._jumps, []
        for jump in jumps:
            lost += self._count(jump.place, jump.expected, min(jump.got, first.get(jump.place, 0)))
        for place, at in taken.items():
            begins = first.get(place, 0)
            if begins <= at:
                # Nothing is missing yet, so the consumer has read what lies before its position.
                self._read[place] = max(self._read.get(place, 0), read.get(place, 0))
            elif idle and 0 <= at == self._idle.get(place):
                lost += self._count(place, at, begins)
        self._idle = dict(taken) if idle else {}
        return lost

    def _count(self, place: Place, expected: int, end: int) -> int:
        start = max(expected, self._read.get(place, 0))
        if end <= start:
            return 0
        self._read[place] = end
        metrics.count("deid_lost_to_retention_total", by=end - start)
        topic, partition = place
        LOG.error(
            "deleted-unread", topic=topic, partition=partition, offset=start, count=end - start
        )
        return end - start
