from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index
from deidstream.models.kneo.index import Index, Neighbour
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.neighbours import NeighbourSearch, OpenUnit
from deidstream.models.kneo.units import cut_units
from deidstream.schemas.kneo_policy import KneoPolicy
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder()
TEXT = "The patient denies any pain since last week."
NEAR = [f"The patient denies any pain since week {number}" for number in range(90)]
FAR = [f"Zebra quilt {number} yonder" for number in range(90)]


@dataclass(frozen=True, slots=True)
class CountedSearches:
    """An index that counts how many sentences each search asked for."""

    index: Index
    counts: list[int] = field(default_factory=list[int])

    def search(
        self, queries: NDArray[np.float32], count: int, least: float
    ) -> list[tuple[Neighbour, ...]]:
        self.counts.append(count)
        return self.index.search(queries, count, least)

    def __getattr__(self, name: str) -> object:
        return getattr(self.index, name)


def count_searches(pool: list[str], policy: KneoPolicy) -> tuple[list[int], list[int]]:
    """Search the neighbours of one unit; return the counts asked for and the rows found."""
    rows = EMBEDDER.embed(pool)
    donors = ["patient-1"] * (len(pool) - 1) + [""]
    made = index.build(rows, pool, donors, rows[:1], ("hash", EMBEDDER.digest))
    asked = KneoQuery(
        TEXT, (), "n", frozenset({"patient-1"}), Keyring(b"k" * 32, 1, "t"), lambda _: False
    )
    unit = cut_units(TEXT, (), 3)[0]
    counted = CountedSearches(made)
    search = NeighbourSearch(counted, policy)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    (found,) = search.search_pool([OpenUnit(asked, unit, EMBEDDER.embed([unit.query])[0])])
    return counted.counts, found


POLICY = KneoPolicy(neighbours=2, min_cosine=0.5, max_jaccard=1.0, guards=())


def test_a_search_is_widened_where_all_that_were_found_are_near() -> None:
    counts, found = count_searches(NEAR, POLICY)
    assert counts == [32, 128]
    assert found == [89]


@pytest.mark.parametrize("near", [0, 1, 31])
def test_a_search_is_not_widened_where_what_is_further_is_too_far(near: int) -> None:
    counts, found = count_searches([*NEAR[:near], *FAR], POLICY)
    assert counts == [32]
    assert found == []
