"""Compute how long the oldest message of a partition that is not yet acknowledged has waited."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Coordinates, Place

MOST_ENDS = 1_000


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The end of a partition's log as it was seen at one moment, in seconds of the Unix clock."""

    offset: int
    at: float


@dataclass(slots=True)
class NoteAges:
    """The creation times of messages in work, and the ends of logs for those still in Kafka."""

    _created: dict[Place, dict[int, float]] = field(default_factory=dict[Place, dict[int, float]])
    """When each message in work was created, by its offset."""
    _ends: dict[Place, list[LogEnd]] = field(default_factory=dict[Place, list[LogEnd]])

    def take(self, sources: Sequence[Coordinates], created: Sequence[float | None]) -> None:
        """Keep the creation times of messages that are taken now; ``None``: not known."""
        for source, moment in zip(sources, created, strict=True):
            if moment is not None:
                self._created.setdefault(source.place, {})[source.offset] = moment

    def drop(self, sources: Sequence[Coordinates]) -> None:
        """Forget messages that are no longer in work."""
        for source in sources:
            held = self._created.get(source.place, {})
            held.pop(source.offset, None)
            if not held:
                self._created.pop(source.place, None)

    def keep(self, places: set[Place]) -> None:
        """Forget the ends of partitions that are held no longer."""
        for place in self._ends.keys() - places:
            del self._ends[place]

    def look(self, place: Place, done: int, end: int, now: float) -> float:
        """Return the age of the oldest message that is not acknowledged, in seconds.

        The message in work says when it was created. One that still lies in Kafka is at least as
        old as the first look that saw the log reach beyond it.

        Args:
            place: The partition.
            done: The position that is acknowledged.
            end: The position after the last message of the log.
            now: Seconds of the Unix clock.
        """
        ends = [seen for seen in self._ends.get(place, []) if seen.offset > done]
        self._ends[place] = ends
        if end <= done:
            return 0.0
        if not ends or end > ends[-1].offset:
            ends.append(LogEnd(end, now))
        if len(ends) > MOST_ENDS:
            # The ages of messages between two ends become less exact, by a few looks.
            del ends[1::2]
        held = self._created.get(place, {})
        created = [moment for offset, moment in held.items() if offset >= done]
        return max(0.0, now - min([ends[0].at, *created]))
