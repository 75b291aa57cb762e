"""Which groups of two levels a note belongs to, as models see it: a class, and one within it.

Source: the BioBERT of Pissarra et al. (2024), as Alves et al., section 3, tell of it, was trained
on a hierarchical classification of ICD-10 code categories. Here a model tells the class of a note,
such as its specialty, and one for each class the class within it, such as the type of note; how
likely both are together is the product (as in Koller and Sahami, ICML 1997).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.paired_scores import Row
from deidstream.study.measures.text_classifier import FEWEST_CLASSES, TextClassifier
from deidstream.study.techniques.technique import StudyNote


@dataclass(frozen=True, slots=True)
class LevelScores:
    """How likely each group of each level is for a text."""

    upper: Row
    """Of the classes; they sum to 1."""
    lower: Row
    """Of the classes within them, each with its class; they sum to 1."""
    parents: NDArray[np.int64]
    """The place in ``upper`` of the class that each of ``lower`` is within."""

    @property
    def gains(self) -> Row:
        """Return the gain of each group of the lower level: half is for its class.

        So a group of the right class gains something, even if it is not the right one there.
        """
        gains: Row = (self.upper[self.parents] + self.lower) / 2
        return gains


@dataclass(frozen=True, slots=True)
class LevelModel:
    """A model of the classes, and one of the classes within each that has at least two."""

    upper: TextClassifier
    within: Mapping[str, TextClassifier]

    @classmethod
    def learn(cls, notes: Sequence[StudyNote]) -> "LevelModel":
        """Learn from notes of at least two classes."""
        upper = _learn(notes, [note.kind for note in notes])
        within: dict[str, TextClassifier] = {}
        for kind in upper.classes:
            theirs = [note for note in notes if note.kind == kind and note.subkind]
            if len({note.subkind for note in theirs}) >= FEWEST_CLASSES:
                within[kind] = _learn(theirs, [note.subkind for note in theirs])
        return cls(upper, within)

    def score(self, texts: Sequence[str]) -> list[LevelScores]:
        """Return the scores of each text; a class that nothing is within is itself below."""
        upper = self.upper.score(texts)
        blocks: list[NDArray[np.float64]] = []
        parents: list[int] = []
        for place, kind in enumerate(self.upper.classes):
            block = upper[:, place : place + 1]
            if kind in self.within:
                block = block * self.within[kind].score(texts)
            blocks.append(block)
            parents += [place] * block.shape[1]
        lower, of = np.hstack(blocks), np.array(parents)
        return [LevelScores(one, other, of) for one, other in zip(upper, lower, strict=True)]


def _learn(notes: Sequence[StudyNote], classes: Sequence[str]) -> TextClassifier:
    return TextClassifier.learn([note.with_labels() for note in notes], classes)


@dataclass(slots=True)
class CodeLevels:
    """The models of all folds; they are learnt at the first use."""

    notes: Sequence[StudyNote] = field(repr=False)
    models: dict[int, LevelModel] = field(default_factory=dict[int, LevelModel], repr=False)

    @property
    def usable(self) -> bool:
        """Whether the notes have two levels, and each fold at least two classes outside it."""
        folds = {note.fold for note in self.notes}
        outside = ({note.kind for note in self._list_others(fold)} for fold in folds)
        return any(note.subkind for note in self.notes) and all(
            len(kinds) >= FEWEST_CLASSES for kinds in outside
        )

    def score(self, texts: Sequence[str], fold: int) -> list[LevelScores]:
        """Return the scores of each text, by the models of the other folds."""
        if fold not in self.models:
            self.models[fold] = LevelModel.learn(self._list_others(fold))
        return self.models[fold].score(texts)

    def _list_others(self, fold: int) -> list[StudyNote]:
        return [note for note in self.notes if note.fold != fold and note.kind]
