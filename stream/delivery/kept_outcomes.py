"""Keep outcomes that were computed and not delivered, as their notes are soon read again.

In a storm of rebalances the notes of a group are lost before their outcomes are delivered, and
mostly come back to the same worker a moment later.
"""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Coordinates, Outcome

Key = tuple[Coordinates, bytes]


@dataclass(slots=True)
class KeptOutcomes:
    """A bounded number of outcomes, by the place and the digest of their messages."""

    most: int
    _kept: OrderedDict[Key, Outcome] = field(default_factory=OrderedDict[Key, Outcome], repr=False)

    def keep(self, source: Coordinates, value: bytes, outcome: Outcome) -> None:
        """Keep an outcome; the oldest one goes where there are too many."""
        self._kept[_key(source, value)] = outcome
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)

    def take(self, source: Coordinates, value: bytes) -> Outcome | None:
        """Take out the outcome of a message; ``None`` if it is not kept."""
        return self._kept.pop(_key(source, value), None) if self._kept else None

    def clear(self) -> None:
        """Forget all: they were computed under another policy."""
        self._kept.clear()


def _key(source: Coordinates, value: bytes) -> Key:
    return source, hashlib.sha256(value).digest()
