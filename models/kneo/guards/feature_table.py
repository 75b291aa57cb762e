"""The features of all sentences of a pool, in a few arrays: some 100 bytes a sentence.

Reading them takes 30 microseconds a sentence, so an index stores them with the digest of the code
that read them.
"""

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.guards.features import NOTHING, Features, read_features
from deidstream.models.references.number_lists import NumberLists, Numbers
from deidstream.models.text.word_files import read_data


@cache
def features_digest() -> str:
    """Return the SHA-256 of the guards and their list, in hexadecimal: other code, other digest."""
    sources = sorted(files("deidstream.models.kneo.guards").iterdir(), key=lambda file: file.name)
    digest = hashlib.sha256(read_data("allow_drugs.txt").encode())
    for source in sources:
        if source.name.endswith(".py"):
            digest.update(source.read_bytes())
    return digest.hexdigest()


@dataclass(slots=True)
class _Column:
    """Lists of codes while they are gathered."""

    codes: "array[int]" = field(default_factory=lambda: array("I"), repr=False)
    ends: "array[int]" = field(default_factory=lambda: array("q", [0]), repr=False)

    def append(self, some: Iterable[int]) -> None:
        self.codes.extend(sorted(some))
        self.ends.append(len(self.codes))

    def pack(self) -> NumberLists:
        return NumberLists(np.array(self.codes, np.uint32), np.array(self.ends, np.int64))


def _read_list(lists: NumberLists, number: int) -> frozenset[int]:
    codes = lists.of(number)
    return frozenset(codes.tolist()) if len(codes) else NOTHING


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """The features of the sentences of a pool, by row."""

    cues: NDArray[np.uint32] = field(repr=False)
    numbers: NumberLists = field(repr=False)
    drugs: NumberLists = field(repr=False)
    negated: NumberLists = field(repr=False)
    affirmed: NumberLists = field(repr=False)

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

    def flatten(self) -> Numbers:
        """Return one array to be stored: the cues, then each column's lists."""
        columns = (self.numbers, self.drugs, self.negated, self.affirmed)
        return np.concatenate([self.cues, *(column.flatten() for column in columns)])

    @classmethod
    def parse(cls, stored: Numbers, sentences: int) -> "FeatureTable":
        """Return what ``flatten`` made of so many sentences.

        Raises:
            ValueError: It is no such array.
        """
        cues, at = stored[:sentences], sentences
        columns: list[NumberLists] = []
        for _ in range(4):
            end = at + sentences + int(stored[at : at + sentences].sum(dtype=np.int64))
            columns.append(NumberLists.parse(stored[at:end], sentences))
            at = end
        if at != len(stored):
            msg = "the features of sentences are damaged"
            raise ValueError(msg)
        return cls(cues, *columns)

    def row(self, number: int) -> Features:
        """Return the features of one sentence."""
        lists = (self.numbers, self.drugs, self.negated, self.affirmed)
        return Features(int(self.cues[number]), *(_read_list(each, number) for each in lists))
