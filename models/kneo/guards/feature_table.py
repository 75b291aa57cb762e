"""The features of all sentences of a pool, in a few arrays: some 100 bytes a sentence."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.guards.features import NOTHING, Features, read_features


@dataclass(frozen=True, slots=True)
class _Lists:
    """A list of codes for each sentence, all in one array."""

    codes: NDArray[np.uint32] = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)
    """Shape ``(n + 1,)``: list ``i`` is ``codes[ends[i]:ends[i + 1]]``."""

    def row(self, number: int) -> frozenset[int]:
        begin, end = self.ends[number], self.ends[number + 1]
        return frozenset(self.codes[begin:end].tolist()) if begin < end else NOTHING


@dataclass(slots=True)
class _Column:
    """Lists of codes while they are gathered."""

    codes: "array[int]" = field(default_factory=lambda: array("I"), repr=False)
    ends: "array[int]" = field(default_factory=lambda: array("q", [0]), repr=False)

    def append(self, some: Iterable[int]) -> None:
        self.codes.extend(sorted(some))
        self.ends.append(len(self.codes))

    def pack(self) -> _Lists:
        return _Lists(np.array(self.codes, np.uint32), np.array(self.ends, np.int64))


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """The features of the sentences of a pool, by row."""

    cues: NDArray[np.uint32] = field(repr=False)
    numbers: _Lists = field(repr=False)
    drugs: _Lists = field(repr=False)
    negated: _Lists = field(repr=False)
    affirmed: _Lists = field(repr=False)

    @classmethod
    def read(cls, texts: Sequence[str]) -> "FeatureTable":
        """Read the features of sentences; their rows have the order of ``texts``."""
        cues = np.zeros(len(texts), np.uint32)
        numbers, drugs, negated, affirmed = (_Column() for _ in range(4))
        for row, text in enumerate(texts):
            read = read_features(text)
            cues[row] = read.cues
            numbers.append(read.numbers)
            drugs.append(read.drugs)
            negated.append(read.negated)
            affirmed.append(read.affirmed)
        return cls(cues, *(column.pack() for column in (numbers, drugs, negated, affirmed)))

    def row(self, number: int) -> Features:
        """Return the features of one sentence."""
        return Features(
            int(self.cues[number]),
            self.numbers.row(number),
            self.drugs.row(number),
            self.negated.row(number),
            self.affirmed.row(number),
        )
