"""Find the words nearest to a word that are no spelling variants of it.

Each search is one product of all rows with one vector, and such products are exact: what is found
depends neither on the words searched beside it nor on the machine. Lists of the vocabulary's own
words are kept, up to a bound; those of other words are not, as they may be names.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final

import numpy as np

from deidstream.models.kneo.words.spelling import LONGEST, spelling_keys
from deidstream.models.kneo.words.word_vectors import WordVectors

_MOST_LISTS: Final = 32_768
_MOST_KEYS: Final = 65_536
"""Words of the vocabulary whose neighbours, and whose spelling keys, are kept."""
LISTED: Final = 160
"""Words of a list: the highest degree, and some that the note at hand may refuse."""
_DIGITS: Final = 4
# More are looked at than listed: some are variants, and ties at the edge go by place.
_LOOKED_AT: Final = LISTED + 64


@dataclass(frozen=True, slots=True)
class NearWords:
    """The neighbours of words. A word that has no vector, or is no word, has none."""

    vectors: WordVectors
    _nearest: Callable[[int], tuple[str, ...]] = field(init=False, repr=False)
    _keys: Callable[[int], frozenset[str]] = field(init=False, repr=False)
    """Of a word of the vocabulary, by its place."""

    def __post_init__(self) -> None:
        """Begin with nothing kept."""
        words = self.vectors.words

        @lru_cache(maxsize=_MOST_LISTS)
        def nearest(place: int) -> tuple[str, ...]:
            return self._find_nearest(words[place])

        @lru_cache(maxsize=_MOST_KEYS)
        def keys(place: int) -> frozenset[str]:
            return spelling_keys(words[place])

        object.__setattr__(self, "_nearest", nearest)
        object.__setattr__(self, "_keys", keys)

    def of(self, word: str) -> tuple[str, ...]:
        """Return the neighbours of a word, nearest first.

        Equal cosines, after rounding, are in the order of the vocabulary.

        Args:
            word: In its normal form.
        """
        if len(word) > LONGEST:
            return ()
        place = self.vectors.places.get(word)
        return self._find_nearest(word) if place is None else self._nearest(place)

    def keys_of(self, word: str) -> frozenset[str]:
        """Return the spelling keys of a word in its normal form."""
        place = self.vectors.places.get(word)
        return spelling_keys(word) if place is None else self._keys(place)

    def _find_nearest(self, word: str) -> tuple[str, ...]:
        query = self.vectors.vector_of(word)
        if query is None:
            return ()
        cosines = self.vectors.rows @ query
        looked_at = min(_LOOKED_AT, len(cosines))
        places = np.argpartition(-cosines, looked_at - 1)[:looked_at]
        rounded = np.round(cosines[places], _DIGITS)
        ordered = places[np.lexsort((places, -rounded))].tolist()
        own = self.keys_of(word)
        fit = (place for place in ordered if own.isdisjoint(self._keys(place)))
        return tuple(self.vectors.words[place] for place in islice(fit, LISTED))
