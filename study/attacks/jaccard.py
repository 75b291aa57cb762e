"""Word Jaccard: the share of the words of two notes that both hold, each word counted once.

Source: Larbi et al., section 4.4: "calculating the Jaccard Distance on word level"; similarity is 1
less the distance. The paper does not say what a word is; here it is a folded run of letters and
digits.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from deidstream.study.attacks.word_rows import Similarities, read_words


def compare_word_sets(candidates: Sequence[str], outputs: Sequence[str]) -> Iterator[Similarities]:
    """Yield the similarities of each output to all candidates.

    Args:
        candidates: Texts, at least one.
        outputs: Texts.

    Yields:
        Shape ``(len(candidates),)``, from 0 to 1; 0 where neither text has a word.
    """
    table = read_words(candidates, outputs)
    postings = table.index_candidates()
    sizes = np.array([len(row.ids) for row in table.candidates])
    for row in table.outputs:
        holders = postings.candidates[postings.gather(row.ids)]
        shared = np.bincount(holders, minlength=len(sizes))
        together = sizes + len(row.ids) - shared
        yield shared / np.maximum(together, 1)
