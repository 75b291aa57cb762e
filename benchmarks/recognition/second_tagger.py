"""Measure taggers alone and in pairs, word by word, without rules and without thresholds.

    python benchmarks/recognition/second_tagger.py NAME=FOLDER NAME=FOLDER -- SET ...

For each folder of marked notes, each tagger, and each pair as ``models.recognizers.second_tagger``
weighs it: the share of the words of PHI that is found where .95 of what is found is PHI, and the
precision where .97 and .98 of them are found. Results: ``docs/trials.md#a-second-encoder``.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.marked import read_folder

_WORD = re.compile(r"\w+")
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Judged:
    """The words of a set; arrays of one length."""

    chances: NDArray[np.float64]
    """Of being PHI, as a tagger says."""
    is_phi: NDArray[np.bool_]

    def precision_at_recall(self, recall: float) -> float:
        """Return the precision at the first word that brings the recall up to ``recall``."""
        found = self._find()
        return float(found.precision[np.searchsorted(found.recall, recall)])

    def recall_at_precision(self, precision: float) -> float:
        """Return the largest recall at which the precision is ``precision`` or more."""
        found = self._find()
        return float(found.recall[found.precision >= precision].max(initial=0.0))

    def _find(self) -> "_Curve":
        right = self.is_phi[np.argsort(-self.chances, kind="stable")].cumsum()
        return _Curve(right / np.arange(1, len(right) + 1), right / right[-1])


@dataclass(frozen=True, slots=True)
class _Curve:
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


def judge(tagger: Tagger, notes: Sequence[LabelledNote]) -> Judged:
    """Ask a tagger for every word of the notes."""
    chances: list[float] = []
    is_phi: list[bool] = []
    for at in range(0, len(notes), _CHUNK):
        chunk = notes[at : at + _CHUNK]
        answers = tagger.score([labelled.note.text for labelled in chunk])
        for labelled, encoding, scores in zip(chunk, *answers, strict=True):
            text = labelled.note.text
            of_character, covered = np.zeros(len(text) + 1), np.zeros(len(text) + 1, dtype=np.bool_)
            for (start, end), chance in zip(encoding.offsets, scores[:, 0] / 1000, strict=True):
                of_character[start:end] = chance
            for span in labelled.spans:
                covered[span.start : span.end] = True
            for word in _WORD.finditer(text):
                chances.append(float(of_character[word.start() : word.end()].max()))
                is_phi.append(bool(covered[word.start() : word.end()].any()))
    return Judged(np.array(chances), np.array(is_phi))


def main(arguments: Sequence[str]) -> None:
    """Print a table for each set."""
    named, folders = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    taggers: dict[str, Tagger] = {}
    for one in named:
        name, _, folder = one.partition("=")
        taggers[name] = Tagger.load(folder, settings=TaggerOptions())
    pairs = {
        f"{one} and {other}": replace(taggers[one], second=taggers[other])
        for one, other in combinations(taggers, 2)
    }
    for folder in folders:
        notes = list(read_folder(Path(folder)))
        print(f"\n{Path(folder).name}: {len(notes)} notes")
        print("| tagger | recall at precision .95 | precision at recall .97 | at .98 |")
        print("|---|--:|--:|--:|")
        for name, tagger in (taggers | pairs).items():
            judged = judge(tagger, notes)
            figures = (
                judged.recall_at_precision(0.95),
                judged.precision_at_recall(0.97),
                judged.precision_at_recall(0.98),
            )
            print(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
