"""The other classifier of a study: it reads a text as the mean of the vectors of its words.

Source: Abdalla et al., table 4: logistic regression over vectors of words. To it a neighbour is
nearly the same word, where ``text_classifier`` sees another one. Numbers are left out, as in the
paper, and so are labels, which techniques write and plain notes lack.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from deidstream.models.kneo.words.word_vectors import WordVectors
from deidstream.study.vectors.word_corpus import LABEL, cut_whole_note

ReadVectors = Callable[[int], WordVectors]
"""Returns the vectors for the notes of a fold, which were learnt without them."""
_MOST_TEXTS: Final = 8_192
"""Whose words are kept: models of several folds read them."""


@dataclass(frozen=True, slots=True)
class VectorClassifier:
    """Tells the class of a text: one class against the rest, weighed by how rare it is."""

    vectors: WordVectors = field(repr=False)
    model: Any

    @classmethod
    def learn(cls, texts: Sequence[str], classes: Sequence[str], vectors: WordVectors) -> Self:
        """Learn from texts of at least two classes."""
        return cls(vectors, fit_means(read_means(texts, vectors), classes))

    def tell(self, texts: Sequence[str]) -> list[str]:
        """Return the most likely class of each text."""
        return list(map(str, self.model.predict(read_means(texts, self.vectors))))


def fit_means(means: NDArray[np.float32], classes: Sequence[str]) -> Any:  # noqa: ANN401
    """Fit a model, as of scikit-learn, to the means of texts and their classes."""
    one = LogisticRegression(class_weight="balanced", max_iter=1_000, random_state=0)
    return make_pipeline(StandardScaler(), OneVsRestClassifier(one)).fit(means, classes)


def read_means(texts: Sequence[str], vectors: WordVectors) -> NDArray[np.float32]:
    """Return the mean vector of the words of each text; words without a vector are left out."""
    means = np.zeros((len(texts), vectors.facts.dimension), np.float32)
    for mean, text in zip(means, texts, strict=True):
        counted = [(vectors.vector_of(word), count) for word, count in _count_words(text)]
        found = [(vector, count) for vector, count in counted if vector is not None]
        if found:
            rows = [vector for vector, _ in found]
            mean[:] = np.average(rows, axis=0, weights=[count for _, count in found])
    return means


@lru_cache(maxsize=_MOST_TEXTS)
def _count_words(text: str) -> tuple[tuple[str, int], ...]:
    counted = Counter(word for words in cut_whole_note(LABEL.sub(" ", text)) for word in words)
    return tuple(counted.items())
