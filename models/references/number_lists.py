"""Lists of numbers, one for each note, in two arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class NumberLists:
    """Some lists of numbers, read by their place."""

    values: Numbers = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)
    """Shape ``(n + 1,)``: list ``i`` is ``values[ends[i]:ends[i + 1]]``."""

    @classmethod
    def pack(cls, lists: Sequence[Numbers]) -> "NumberLists":
        """Return lists in two arrays."""
        values = np.concatenate([np.zeros(0, np.uint32), *lists])
        ends = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls(values.astype(np.uint32), ends)

    def __len__(self) -> int:
        """Return how many lists there are."""
        return len(self.ends) - 1

    def of(self, number: int) -> Numbers:
        """Return one list."""
        return self.values[self.ends[number] : self.ends[number + 1]]

    def owners(self) -> NDArray[np.int64]:
        """Return for each value the number of the list that it is in."""
        return np.repeat(np.arange(len(self)), np.diff(self.ends))

    def flatten(self) -> Numbers:
        """Return one array to be stored: the length of each list, then all values."""
        return np.concatenate([np.diff(self.ends).astype(np.uint32), self.values])

    @classmethod
    def parse(cls, stored: Numbers, count: int) -> "NumberLists":
        """Return what ``flatten`` made of ``count`` lists.

        Raises:
            ValueError: It is no such array.
        """
        if stored.dtype != np.uint32 or stored.ndim != 1 or len(stored) < count:
            msg = "the lists of notes are damaged"
            raise ValueError(msg)
        ends = np.concatenate([[0], np.cumsum(stored[:count], dtype=np.int64)])
        if ends[-1] != len(stored) - count:
            msg = "the lists of notes have other lengths than stated"
            raise ValueError(msg)
        return cls(stored[count:], ends)
