"""Find the pool sentences that may stand in the place of a unit, nearest first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.guards.agreement import contradicts
from deidstream.models.kneo.guards.features import Features, read_features
from deidstream.models.kneo.index import Index, Neighbour
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.slots import fill_slots
from deidstream.models.kneo.units import Unit, find_surrogates
from deidstream.models.time_budget import within_time
from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.schemas.label import PhiLabel

# Neighbours are asked for in steps of 16 and 64 times the wanted, as far as they are needed.
_STEPS: Final = (16, 64)
_DIGITS: Final = 4
_MARKS: Final = re.compile(r"(?:[^\w\s]|_)+")
"""What is neither letter nor digit, within words or alone."""


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A unit that is to be replaced."""

    query: KneoQuery
    unit: Unit
    vector: NDArray[np.float32] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Own:
    """What a neighbour is compared with."""

    features: Features = field(repr=False)
    words: tuple[frozenset[str], ...] = field(repr=False)
    """Two sets: the words of the text to embed, and those of the note's own text."""
    surrogates: list[tuple[PhiLabel, str]] = field(repr=False)
    """What the slots of a neighbour may be filled with."""

    @classmethod
    def read(cls, asked: OpenUnit) -> "_Own":
        unit = asked.unit
        text = asked.query.text[unit.start : unit.end]
        words = (_word_set(unit.query), _word_set(text))
        surrogates = find_surrogates(asked.query.text, unit)
        return cls(read_features(unit.query), words, surrogates)


@dataclass(frozen=True, slots=True)
class NeighbourSearch:
    """Searches an index for neighbours that a policy permits."""

    index: Index
    policy: KneoPolicy

    def search_pool(self, asked: Sequence[OpenUnit]) -> list[list[int]]:
        """Return for each unit the permitted rows among its nearest.

        The search is widened, once, for all units that have fewer than wanted although all that
        were found are near enough.
        """
        places: dict[str, int] = {}
        vectors: list[NDArray[np.float32]] = []
        for one in asked:
            if one.unit.query not in places:
                places[one.unit.query] = len(vectors)
                vectors.append(one.vector)
        rows: list[list[int]] = [[] for _ in asked]
        few = list(range(len(asked)))
        for step in _STEPS:
            if not few:
                break
            searched = sorted({places[asked[n].unit.query] for n in few})
            queries = np.stack([vectors[place] for place in searched])
            count = step * self.policy.neighbours
            found = self.index.search(queries, count, self.policy.min_cosine)
            near = dict(zip(searched, found, strict=True))
            for number in within_time(few):
                one = asked[number]
                rows[number] = self._choose_permitted(one, near[places[one.unit.query]])
            few = [
                n
                for n in few
                if len(rows[n]) < self.policy.neighbours
                and len(near[places[asked[n].unit.query]]) == count
            ]
        return rows

    def search_rows(self, asked: OpenUnit, rows: Sequence[int]) -> list[int]:
        """Return the permitted of some rows."""
        cosines = (self.index.vectors_of(rows) @ asked.vector).tolist()
        near = [
            Neighbour(row, round(cosine, _DIGITS))
            for row, cosine in zip(rows, cosines, strict=True)
        ]
        return self._choose_permitted(asked, sorted(near, key=lambda n: (-n.cosine, n.row)))

    def _choose_permitted(self, asked: OpenUnit, near: Sequence[Neighbour]) -> list[int]:
        own = _Own.read(asked)
        close = takewhile(lambda n: n.cosine >= self.policy.min_cosine, near)
        return [n.row for n in close if self._is_permitted(asked.query, own, n)]

    def _is_permitted(self, query: KneoQuery, own: _Own, near: Neighbour) -> bool:
        if near.cosine > self.policy.max_cosine:
            return False
        if self.index.donors.holds(near.row, query.donors):
            return False
        if contradicts(own.features, self.index.features.row(near.row), self.policy.guards):
            return False
        text = self.index.texts[near.row]
        theirs = _word_set(text)
        if any(_jaccard(words, theirs) > self.policy.max_jaccard for words in own.words):
            return False
        filled = fill_slots(text, own.surrogates)
        return filled is not None and not query.banned(filled.text)


def _word_set(text: str) -> frozenset[str]:
    return frozenset(_MARKS.sub("", text.casefold()).split())


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 0.0
