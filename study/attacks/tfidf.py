"""TF-IDF: the cosine of word counts, each weighed by how few candidates hold the word.

Weight of a word in a note: its count, times ``ln((1 + n) / (1 + m)) + 1`` where ``m`` of ``n``
candidates hold it. Words that no candidate holds are left out: the attacker knows the originals.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.attacks.word_rows import Postings, Similarities, WordRow, read_words

_DIGITS: Final = 9
"""Notes with the same shares of words tie, whatever the rounding of their sums."""


def compare_rare_words(candidates: Sequence[str], outputs: Sequence[str]) -> Iterator[Similarities]:
    """Yield the similarities of each output to all candidates.

    Args:
        candidates: Texts, at least one.
        outputs: Texts.

    Yields:
        Shape ``(len(candidates),)``, from 0 to 1; 0 where they share no word.
    """
    table = read_words(candidates, outputs)
    postings = table.index_candidates()
    rarity = _weigh_words(postings, len(table.candidates))
    lengths = np.array([_length_of(row, rarity) for row in table.candidates])
    for row in table.outputs:
        places = postings.gather(row.ids)
        weights = np.repeat(row.counts * rarity[row.ids] ** 2, postings.held_by[row.ids])
        products = np.bincount(
            postings.candidates[places],
            weights=weights * postings.counts[places],
            minlength=len(lengths),
        )
        scale = lengths * _length_of(row, rarity)
        cosines: Similarities = np.divide(
            products, scale, out=np.zeros(len(scale)), where=scale > 0
        )
        yield np.round(cosines, _DIGITS)


def _weigh_words(postings: Postings, candidates: int) -> NDArray[np.float64]:
    """Return the weight of each word; 0 for a word that no candidate holds."""
    held = postings.held_by
    weights: NDArray[np.float64] = np.log((1 + candidates) / (1 + held)) + 1
    return np.where(held > 0, weights, 0.0)


def _length_of(row: WordRow, rarity: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(row.counts * rarity[row.ids]))
