"""Tell surrogates from real identifiers by their letters, as one who looks for leaks would.

An attacker who can tell them apart knows which identifiers of an output were overlooked. Source:
D. Carrell and others, "The machine giveth and the machine taketh away: a parrot attack on clinical
text deidentified with hiding in plain sight", JAMIA 26(12), 2019, 1536-1544. There the attacker
trains a tagger on outputs; here a classifier of the identifiers alone, which sees their letters and
their shape, so that what is measured are the surrogates, and no recognizer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold

from deidstream.models.keyring import canonical
from deidstream.study.scoring.auc import Auc, measure_auc

FEWEST: Final = 20
"""Different strings of either kind below which nothing is measured."""
FOLDS: Final = 5
_REPEATS: Final = 5
"""Divisions into folds; the score of a string is the mean over them."""
_LONGEST: Final = 4
"""Characters that a feature holds at most."""
_WEIGHT: Final = 10.0
"""Inverse of the penalty of the classifier."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """One real identifier or one surrogate."""

    text: str = field(repr=False)
    patient: str = field(repr=False)
    """Whose note it is of. Strings of one patient are never trained on and tested in one round: a
    patient's surrogates resemble one another."""


def tell_apart(real: Sequence[Specimen], surrogates: Sequence[Specimen]) -> Auc | None:
    """Measure how well a classifier tells real strings from surrogates that it did not see.

    A string that returns counts once, in whatever case; it goes with the patient it came first for.
    A string that is of both kinds says nothing, and is trained on by none: else a classifier would
    learn the opposite of what is true of it in another fold.

    Args:
        real: Identifiers of originals, of one label.
        surrogates: Surrogates of the same label.

    Returns:
        .5 where nothing tells them apart; ``None`` for fewer than 20 strings of either kind, or
        fewer than five patients.
    """
    kinds = [_keep_distinct(each) for each in (real, surrogates)]
    specimens = [specimen for kind in kinds for specimen in kind.values()]
    if min(map(len, kinds)) < FEWEST or len({one.patient for one in specimens}) < FOLDS:
        return None
    answers = np.repeat([1, 0], [len(kind) for kind in kinds])
    both = kinds[0].keys() & kinds[1].keys()
    teaching = np.array([key not in both for kind in kinds for key in kind])
    scores = _score_unseen(specimens, answers, teaching)
    # Rounded, so that the order of sums decides no tie.
    ends = len(kinds[0])
    rounded = np.round(scores, 9).tolist()
    return measure_auc(rounded[:ends], rounded[ends:])


def _keep_distinct(specimens: Sequence[Specimen]) -> dict[str, Specimen]:
    """Return the first of each string by its normal form, in the order of these."""
    first: dict[str, Specimen] = {}
    for specimen in specimens:
        first.setdefault(canonical(specimen.text), specimen)
    return dict(sorted(first.items()))


def _score_unseen(
    specimens: Sequence[Specimen], answers: NDArray[np.int64], teaching: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Score each by classifiers that were trained without its patient; high is real."""
    texts, patients = [one.text for one in specimens], [one.patient for one in specimens]
    rows = TfidfVectorizer(**_FEATURES).fit_transform(texts)
    scores = np.zeros(len(texts))
    for repeat in range(_REPEATS):
        folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=repeat)
        for seen, test in folds.split(rows, answers, patients):
            train = seen[teaching[seen]]
            if len(set(answers[train].tolist())) < 2:  # noqa: PLR2004 - kinds
                continue
            model = LogisticRegression(C=_WEIGHT, class_weight="balanced", solver="liblinear")
            model.fit(rows[train], answers[train])
            scores[test] += model.decision_function(rows[test]) / _REPEATS
    return scores


def read_features(text: str) -> list[str]:
    """Return the runs of one to four characters of a string, and those of its shape.

    >>> read_features("Al")[:4], read_features("Al")[-1]
    (['l^', 'la', 'll', 'l$'], 's^Aa$')
    """
    letters, shape = f"^{text.casefold()}$", f"^{''.join(map(_shape_of, text))}$"
    return [*_cut("l", letters), *_cut("s", shape)]


def _cut(kind: str, text: str) -> Iterator[str]:
    for length in range(1, _LONGEST + 1):
        for start in range(len(text) - length + 1):
            yield kind + text[start : start + length]


def _shape_of(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "A" if character.isupper() else "a"
    return character


_FEATURES: Final[dict[str, Any]] = {"analyzer": read_features, "sublinear_tf": True}
