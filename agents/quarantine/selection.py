"""Dead letters with what was done to them, and which of them an operator means."""

from dataclasses import dataclass

from deidstream.schemas.outcome import Coordinates
from deidstream.schemas.quarantine_record import Mark, QuarantineRecord


@dataclass(frozen=True, slots=True)
class Entry:
    """A dead letter, and the last thing that an operator did with it."""

    letter: QuarantineRecord
    seconds: float
    """When the dead letter was written, on the Unix clock."""
    mark: Mark | None = None
    marked_seconds: float = 0

    @property
    def open(self) -> bool:
        """Return whether nothing was done since the dead letter was written.

        A topic that is deleted and made anew counts its offsets from 0. A mark therefore closes
        only dead letters that are older than it.
        """
        return self.mark is None or self.marked_seconds < self.seconds


@dataclass(frozen=True, slots=True)
class Selection:
    """Which entries an operator means; empty: all open ones."""

    places: frozenset[Coordinates] = frozenset()
    reasons: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()
    since_seconds: float = 0
    """Time of the oldest, on the Unix clock."""
    closed: bool = False
    """Whether entries that were replayed or discarded are meant too."""

    def holds(self, entry: Entry) -> bool:
        """Return whether an entry is meant."""
        letter = entry.letter
        return (
            (entry.open or self.closed)
            and entry.seconds >= self.since_seconds
            and (not self.places or letter.source in self.places)
            and (not self.reasons or letter.reason in self.reasons)
            and (not self.stages or letter.stage in self.stages)
        )
