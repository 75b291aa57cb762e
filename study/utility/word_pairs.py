"""Compare the cosines of word vectors with how like people judge the words: the intrinsic test.

Source: Abdalla et al., JAMIA 27(6), 2020, "Intrinsic evaluation", after Wang et al., J. Biomed.
Inform. 87, 2018: Pearson correlation over word pairs; a term of several words has the mean of their
vectors.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.errors import MissingArtefact

PAIR_FILES: Final = {
    "Pedersen, physicians": "pedersen_minimayosrs_physicians.csv",
    "Pedersen, coders": "pedersen_minimayosrs_coders.csv",
    "Hliaoutakis": "hliaoutakis_mesh36.csv",
    "MayoSRS": "mayosrs_101.csv",
    "UMNSRS similarity": "umnsrs_similarity_566.csv",
    "UMNSRS relatedness": "umnsrs_relatedness_587.csv",
}
"""The sets of pairs of the paper, by their names in tables."""
_LEAST = 3
"""Fewer pairs have no correlation worth a number."""

FindVector = Callable[[str], NDArray[np.float32] | None]
"""Returns the vector of a word in small letters; nothing for one that is not known."""


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two terms and how like people judge them, on a scale of the set's own."""

    first: str
    second: str
    judged: float


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How well cosines agree with people on one set of pairs."""

    correlation: float | None
    """Pearson's; nothing where fewer than three pairs are covered or all are alike."""
    covered: int
    """Pairs of which every word is known."""
    total: int

    @property
    def coverage(self) -> float:
        """Share of the pairs that are covered."""
        return self.covered / self.total if self.total else 0.0


def read_pairs(path: Path) -> list[WordPair]:
    """Read a set of pairs: CSV with the columns ``term1``, ``term2`` and ``score``.

    Raises:
        MissingArtefact: The file cannot be read, or is no such file.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                WordPair(row["term1"], row["term2"], float(row["score"]))
                for row in csv.DictReader(file)
            ]
    except (OSError, KeyError, ValueError) as fault:
        msg = f"{path}: no word pairs could be read: {type(fault).__name__}"
        raise MissingArtefact(msg) from None


def measure_agreement(pairs: Sequence[WordPair], find: FindVector) -> PairAgreement:
    """Correlate the cosines of pairs with the judgement of people, over the covered pairs."""
    cosines: list[float] = []
    judged: list[float] = []
    for pair in pairs:
        first, second = _find_term(pair.first, find), _find_term(pair.second, find)
        if first is not None and second is not None:
            cosines.append(float(first @ second))
            judged.append(pair.judged)
    found = None
    if len(cosines) >= _LEAST and len(set(cosines)) > 1 and len(set(judged)) > 1:
        found = float(np.corrcoef(cosines, judged)[0, 1])
    return PairAgreement(found, len(cosines), len(pairs))


def _find_term(term: str, find: FindVector) -> NDArray[np.float32] | None:
    """Return the mean of the vectors of a term's words, of unit length."""
    words = "".join(c if c.isalnum() else " " for c in term.casefold()).split()
    vectors = [vector for word in words if (vector := find(word)) is not None]
    if not words or len(vectors) < len(words):
        return None
    mean: NDArray[np.float32] = np.mean(vectors, axis=0)
    length = float(np.linalg.norm(mean))
    return mean / np.float32(length) if length else None
