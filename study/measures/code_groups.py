"""Which groups a note belongs to, as a model sees it: what JSC and NSDCG compare.

Source: Pissarra et al. (2024) take a BioBERT that predicts groups of ICD-10 codes. No such model
comes with deidstream, so one is learnt here from the plain notes: words weighed by how rare they
are, and a logistic regression for each class. A note is judged by the model of the other folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from deidstream.study.techniques.technique import StudyNote

Scores = NDArray[np.float64]

_MOST_WORDS: Final = 60_000
_FEWEST_KINDS: Final = 2


@dataclass(frozen=True, slots=True)
class _Model:
    reader: Any
    classifier: Any

    def score(self, texts: Sequence[str]) -> Scores:
        scores: Scores = self.classifier.predict_proba(self.reader.transform(texts))
        return scores


@dataclass(slots=True)
class CodeGroups:
    """The models of all folds; they are learnt at the first use."""

    notes: Sequence[StudyNote] = field(repr=False)
    models: dict[int, _Model] = field(default_factory=dict[int, _Model], repr=False)

    @property
    def usable(self) -> bool:
        """Whether each fold has at least two classes outside it."""
        folds = {note.fold for note in self.notes}
        outside = ({n.kind for n in self.notes if n.fold != fold and n.kind} for fold in folds)
        return all(len(kinds) >= _FEWEST_KINDS for kinds in outside)

    def score(self, texts: Sequence[str], fold: int) -> Scores:
        """Return how likely each class is for each text, by the model of the other folds.

        Returns:
            Shape ``(len(texts), classes)``; rows sum to 1.
        """
        if fold not in self.models:
            self.models[fold] = self._learn(fold)
        return self.models[fold].score(texts)

    def _learn(self, fold: int) -> _Model:
        others = [note for note in self.notes if note.fold != fold and note.kind]
        reader = TfidfVectorizer(sublinear_tf=True, min_df=2, max_features=_MOST_WORDS)
        rows = reader.fit_transform([note.with_labels() for note in others])
        classifier = LogisticRegression(C=10, class_weight="balanced", max_iter=400)
        return _Model(reader, classifier.fit(rows, [note.kind for note in others]))
