"""Which groups a note belongs to, as a model sees it: what JSC and NSDCG compare.

Source: Pissarra et al. (2024) take a BioBERT that predicts groups of ICD-10 codes. No such model
comes with deidstream, so one is learnt here from the plain notes and their classes
(``text_classifier``). A note is judged by the model of the other folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.study.measures.text_classifier import FEWEST_CLASSES, TextClassifier
from deidstream.study.techniques.technique import StudyNote

Scores = NDArray[np.float64]


@dataclass(slots=True)
class CodeGroups:
    """The models of all folds; they are learnt at the first use."""

    notes: Sequence[StudyNote] = field(repr=False)
    models: dict[int, TextClassifier] = field(default_factory=dict[int, TextClassifier], repr=False)

    @property
    def usable(self) -> bool:
        """Whether each fold has at least two classes outside it."""
        folds = {note.fold for note in self.notes}
        outside = ({n.kind for n in self.notes if n.fold != fold and n.kind} for fold in folds)
        return all(len(kinds) >= FEWEST_CLASSES for kinds in outside)

    def score(self, texts: Sequence[str], fold: int) -> Scores:
        """Return how likely each class is for each text, by the model of the other folds.

        Returns:
            Shape ``(len(texts), classes)``; rows sum to 1.
        """
        if fold not in self.models:
            others = [note for note in self.notes if note.fold != fold and note.kind]
            texts_of = [note.with_labels() for note in others]
            self.models[fold] = TextClassifier.learn(texts_of, [note.kind for note in others])
        return self.models[fold].score(texts)
