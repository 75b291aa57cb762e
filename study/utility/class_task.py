"""Tell the class of notes: TF-IDF and a linear model, trained on outputs and tested on plain notes.

The seed draws the training notes with replacement, the same for plain notes and outputs, so that
seeds differ by what a corpus of this size may have held.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from deidstream.study.utility.drop import SEEDS, UtilityDrop, measure_drop


@dataclass(frozen=True, slots=True)
class ClassNotes:
    """Notes and the class of each."""

    texts: Sequence[str] = field(repr=False)
    classes: Sequence[str]


def measure_class_drop(
    plain: ClassNotes,
    outputs: Sequence[str],
    test: ClassNotes,
    seeds: Sequence[int] = SEEDS,
) -> UtilityDrop:
    """Return what the macro-averaged F1 of a classifier loses if it learns from outputs.

    Args:
        plain: The training notes.
        outputs: What a technique made of each of them, in their order.
        test: Plain notes that no model learned from.
        seeds: Each draws the training notes anew.
    """
    anonymized = ClassNotes(outputs, plain.classes)
    answers = [
        (answer_classes(plain, test.texts, seed), answer_classes(anonymized, test.texts, seed))
        for seed in seeds
    ]
    return measure_drop(answers, partial(score_classes, test.classes))


def answer_classes(train: ClassNotes, texts: Sequence[str], seed: int) -> list[str]:
    """Train on a draw of notes, and tell the classes of texts."""
    rng, count = random.Random(seed), len(train.texts)
    drawn = [rng.randrange(count) for _ in range(count)]
    reader = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2, max_features=60_000)
    rows = reader.fit_transform([train.texts[number] for number in drawn])
    model = LogisticRegression(C=30, class_weight="balanced", max_iter=400)
    model.fit(rows, [train.classes[number] for number in drawn])
    return [str(told) for told in model.predict(reader.transform(texts))]


def score_classes(truth: Sequence[str], told: Sequence[str]) -> float:
    """Return the F1 of each class, averaged over the classes of the truth.

    >>> score_classes(["a", "a", "b"], ["a", "b", "b"])
    0.6666666666666666
    """
    pairs = zip(truth, told, strict=True)
    hits = Counter(one for one, other in pairs if one == other)
    wanted, claimed = Counter(truth), Counter(told)
    # 2 PR / (P + R) is twice the hits over all that were wanted or claimed.
    return fmean(2 * hits[name] / (wanted[name] + claimed[name]) for name in wanted)
