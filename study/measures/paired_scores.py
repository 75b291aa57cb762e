"""The scores of each note beside those of its output, by the model of the other folds."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.code_groups import CodeGroups
from deidstream.study.measures.measure import Judged

Row = NDArray[np.float64]


def pair_scores(judged: Judged, groups: CodeGroups) -> Iterator[tuple[Row, Row]]:
    """Yield the scores of the first note of each output, and those of the output."""
    for fold in sorted({note.fold for note in judged.notes}):
        outputs = [one for one in judged.outputs if judged.notes[one.own].fold == fold]
        if outputs:
            before = groups.score([judged.notes[one.own].text for one in outputs], fold)
            after = groups.score([one.text for one in outputs], fold)
            yield from zip(before, after, strict=True)
