"""The scores of each note beside those of its output, by the model of the other folds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.measure import Judged

Row = NDArray[np.float64]
Scores = TypeVar("Scores")
Scores_co = TypeVar("Scores_co", covariant=True)


class Scoring(Protocol[Scores_co]):
    """Scores texts by the models of all folds."""

    def score(self, texts: Sequence[str], fold: int) -> Iterable[Scores_co]:
        """Return the scores of each text, by the model of the other folds."""
        ...


def pair_scores(judged: Judged, groups: Scoring[Scores]) -> Iterator[tuple[Scores, Scores]]:
    """Yield the scores of the first note of each output, and those of the output."""
    for fold in sorted({note.fold for note in judged.notes}):
        outputs = [one for one in judged.outputs if judged.notes[one.own].fold == fold]
        if outputs:
            before = groups.score([judged.notes[one.own].text for one in outputs], fold)
            after = groups.score([one.text for one in outputs], fold)
            yield from zip(before, after, strict=True)
