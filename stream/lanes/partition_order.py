"""Let a long message hold the messages behind it in its partition, and no others."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from deidstream.schemas.outcome import Place

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SortedMessages(Generic[T]):
    """Messages that begin now, in the order in which they were read."""

    together: tuple[T, ...]
    alone: tuple[T, ...]
    """Long ones, each of a partition of its own. In its partition it comes after ``together``."""


@dataclass(slots=True)
class PartitionOrder(Generic[T]):
    """Decides which messages begin now, and which wait for a long one of their partition.

    At most one long message of a partition is in work. What was read behind it is held until it
    has ended, so the order of a partition is kept whatever the others do meanwhile.
    """

    place_of: Callable[[T], Place]
    is_long: Callable[[T], bool]
    _held: dict[Place, list[T]] = field(default_factory=dict[Place, list[T]])
    """By partition with a long message in work, what was read behind it."""
    _reading: int = -1

    def sort(self, messages: Iterable[T], reading: int) -> SortedMessages[T]:
        """Sort messages that come in the order of their offsets.

        Args:
            messages: All of one reading.
            reading: Number of the seek after which they were read. What is held of an earlier one
                is dropped: it is read again.
        """
        if reading != self._reading:
            self._reading = reading
            for waiting in self._held.values():
                waiting.clear()
        together: list[T] = []
        alone: list[T] = []
        for message in messages:
            place = self.place_of(message)
            if place in self._held:
                self._held[place].append(message)
            elif self.is_long(message):
                self._held[place] = []
                alone.append(message)
            else:
                together.append(message)
        return SortedMessages(tuple(together), tuple(alone))

    def release(self, place: Place) -> list[T]:
        """Return what was held behind the long message of a partition, which has ended."""
        return self._held.pop(place)
