"""The classifier of a study: words weighed by how rare they are, and a logistic regression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

MOST_WORDS: Final = 60_000
FEWEST_CLASSES: Final = 2


@dataclass(frozen=True, slots=True)
class TextClassifier:
    """Tells the class of a text: one class against the rest, weighed by how rare it is."""

    reader: Any
    model: Any

    @classmethod
    def learn(cls, texts: Sequence[str], classes: Sequence[str]) -> Self:
        """Learn from texts of at least two classes; words of a single text are left out."""
        reader = TfidfVectorizer(sublinear_tf=True, min_df=2, max_features=MOST_WORDS)
        rows = reader.fit_transform(texts)
        # With fewer texts than words the dual problem is the smaller one, by far.
        one = LogisticRegression(
            C=10, class_weight="balanced", solver="liblinear", dual=True, random_state=0
        )
        return cls(reader, OneVsRestClassifier(one).fit(rows, classes))

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of scores."""
        return list(map(str, self.model.classes_))

    def score(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return how likely each class is for each text; rows sum to 1."""
        scores: NDArray[np.float64] = self.model.predict_proba(self.reader.transform(texts))
        return scores

    def tell(self, texts: Sequence[str]) -> list[str]:
        """Return the most likely class of each text."""
        return list(map(str, self.model.predict(self.reader.transform(texts))))
