"""Find the words nearest to a word that are no spelling variants of it.

Each search is one product of all rows with one vector, and such products are exact: what is found
depends neither on the words searched beside it nor on the machine. Lists are kept, up to a bound.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from deidstream.models.kneo.words.spelling import LONGEST, spelling_keys
from deidstream.models.kneo.words.word_vectors import WordVectors

MOST_KEPT: Final = 32_768
"""Lists that are kept."""
LISTED: Final = 160
"""Words of a list: the highest degree, and some that the note at hand may refuse."""
_DIGITS: Final = 4
# More are looked at than listed: some are variants, and ties at the edge go by place.
_LOOKED_AT: Final = LISTED + 64


@dataclass(frozen=True, slots=True)
class NearWords:
    """The neighbours of words. A word that has no vector, or is no word, has none."""

    vectors: WordVectors
    of: Callable[[str], tuple[str, ...]] = field(repr=False)
    """Returns the neighbours of a word in its normal form, nearest first; equal cosines, after
    rounding, in the order of the vocabulary."""

    @classmethod
    def of_vectors(cls, vectors: WordVectors) -> "NearWords":
        """Begin with no list kept."""

        @lru_cache(maxsize=MOST_KEPT)
        def find(word: str) -> tuple[str, ...]:
            return _find_nearest(vectors, word)

        return cls(vectors, lambda word: find(word) if len(word) <= LONGEST else ())


def _find_nearest(vectors: WordVectors, word: str) -> tuple[str, ...]:
    query = vectors.vector_of(word)
    if query is None:
        return ()
    cosines = vectors.rows @ query
    looked_at = min(_LOOKED_AT, len(cosines))
    places = np.argpartition(-cosines, looked_at - 1)[:looked_at]
    rounded = np.round(cosines[places], _DIGITS)
    ordered = places[np.lexsort((places, -rounded))].tolist()
    own = spelling_keys(word)
    near = (vectors.words[place] for place in ordered)
    return tuple(other for other in near if own.isdisjoint(spelling_keys(other)))[:LISTED]
