"""What a policy may say: the numbers, and which operator is for which label."""

from collections.abc import Mapping
from types import MappingProxyType

from deidstream.schemas.label import TIMES, PhiLabel
from deidstream.schemas.policy import OperatorName, Scope

Bounds = Mapping[str, tuple[float, float]]
"""By key the least and the greatest number; whole bounds ask for a whole number."""

_AGES: Bounds = {"cap": (1, 150), "band": (0, 50), "jitter": (1, 50)}
_DATES: Bounds = {"max_shift_days": (1, 3650)}
_KNEO: Bounds = {
    "neighbours": (1, 100),
    "max_cosine": (0.0, 1.0),
    "max_jaccard": (0.0, 1.0),
    "min_words": (1, 50),
}
_RISK: Bounds = {
    "similarity": (-1.0, 1.0),
    "yellow": (0.0, 1.0),
    "red": (0.0, 1.0),
    "window_words": (1, 50),
}
BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    {"ages": _AGES, "dates": _DATES, "kneo": _KNEO, "risk": _RISK}
)
"""Of the numbers of each section."""
THRESHOLD = (0.0, 1.0)
WEEK = 7
"""Least ``max_shift_days`` of a shift of whole weeks."""

_ALL = frozenset(PhiLabel)
LABELS_OF: Mapping[OperatorName, frozenset[PhiLabel]] = MappingProxyType(
    dict.fromkeys(OperatorName, _ALL)
    | {
        OperatorName.SHIFT: TIMES,
        OperatorName.RELATIVE: frozenset({PhiLabel.DATE}),
        OperatorName.GENERALISE: TIMES | {PhiLabel.ZIP, PhiLabel.CITY},
    }
)
"""The labels that have an operator."""

_DATE_SCOPES = frozenset({Scope.PATIENT, Scope.DOCUMENT})


def scopes_of(label: PhiLabel) -> frozenset[Scope]:
    """Return the consistency scopes that a label may have.

    One shift for a whole tenant would be found out by one known date; one for each mention would
    put the dates of a note out of order.
    """
    return _DATE_SCOPES if label is PhiLabel.DATE else frozenset(Scope)
