"""Decide which messages of a group may be delivered; pure, so that it can be tested as such.

Each partition has two positions. ``taken`` is where the next message taken from Faust continues.
``delivered`` is the position that the consumer group has committed. Both are set to the committed
position when the partition is assigned and read from there. A group of messages remembers where it
continued; it may be delivered where nothing before it is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Coordinates, Place


@dataclass(frozen=True, slots=True)
class Membership:
    """Who a worker is in its consumer group; the broker refuses commits of an older generation."""

    member: str = ""
    generation: int = -1
    instance: str | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """Messages that were taken together, and where each partition continued."""

    sources: tuple[Coordinates, ...]
    starts: Mapping[Place, int]
    """By partition, the position before its first message here."""


@dataclass(slots=True)
class Positions:
    """The positions of one worker in the partitions that it owns."""

    membership: Membership | None = None
    """``None`` between the loss of one assignment and the positions of the next."""
    reading: int = -1
    """Number of the seek that reading continues from."""
    taken: dict[Place, int] = field(default_factory=dict[Place, int])
    delivered: dict[Place, int] = field(default_factory=dict[Place, int])

    def assign(self, offsets: Mapping[Place, int], membership: Membership, reading: int) -> None:
        """Continue from the committed positions, from which the partitions are read again.

        Args:
            offsets: Committed position of every partition that is owned; -1 where there is none.
            membership: For whom they were read.
            reading: Number of the seek to these positions.
        """
        # In one assignment only this worker commits: what it has committed since stays.
        same = membership == self.membership
        before = self.delivered if same else {}
        self.delivered = {place: max(at, before.get(place, -1)) for place, at in offsets.items()}
        self.taken = dict(offsets)
        self.membership, self.reading = membership, reading

    def revoke(self) -> None:
        """Lose all partitions: nothing may be taken until the next assignment."""
        self.membership, self.reading = None, -1
        self.taken = {}

    def take(self, sources: Sequence[Coordinates], readings: Sequence[int]) -> list[int]:
        """Return which of the messages continue what was taken, by their numbers.

        Messages of another reading are read again, or belong to another worker.
        """
        current = [number for number, each in enumerate(readings) if each == self.reading]
        return [n for n in current if sources[n].place in self.taken and self.membership]

    def start(self, sources: Sequence[Coordinates]) -> Taken:
        """Record that messages of :meth:`take` were taken; they come in the order of their offsets.

        A message before the position is the first of a log that was made anew.
        """
        starts: dict[Place, int] = {}
        for source in sources:
            place = source.place
            if source.offset < self.taken[place]:
                self.taken[place] = self.delivered[place] = starts[place] = -1
            starts.setdefault(place, self.taken[place])
            self.taken[place] = source.offset + 1
        return Taken(tuple(sources), starts)

    def admit(self, taken: Taken) -> list[int]:
        """Return which messages may be delivered now, by their numbers.

        A partition's messages may if it is owned and nothing before them is missing. Those that
        were delivered before are left out.
        """
        if self.membership is None:
            return []
        return [number for number, each in enumerate(taken.sources) if self._admits(taken, each)]

    def _admits(self, taken: Taken, source: Coordinates) -> bool:
        place = source.place
        at = self.delivered.get(place)
        return at is not None and taken.starts[place] <= at <= source.offset

    def advance(self, ends: Mapping[Place, int]) -> None:
        """Record that positions were committed."""
        for place, end in ends.items():
            if place in self.delivered:
                self.delivered[place] = max(end, self.delivered[place])


def ends_of(sources: Sequence[Coordinates]) -> dict[Place, int]:
    """Return the position after the last of these messages, by partition."""
    ends: dict[Place, int] = {}
    for source in sources:
        ends[source.place] = max(source.offset + 1, ends.get(source.place, 0))
    return ends
