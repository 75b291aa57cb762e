"""Fit a calibration: logistic regression of whether a span touches PHI on its evidence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.detection.calibration import Features, features_of, gather_evidence
from deidstream.schemas.span import Span

RARE = 3
"""Spans that a rule must have supported to get a weight of its own; else that of its module."""
_DIGITS = 4
_STEPS = 60
_CONVERGED = 1e-7
_FREE = frozenset({"always", "tagger", "rules", "dictionary", "sweep", "known", "several"})
_PULL_FREE, _PULL_GROUP, _PULL_MODULE, _PULL_RULE = 0.1, 1.0, 2.0, 4.0
"""How strongly weights are pulled to 0: those of a single rule most, as few spans speak for one."""


@dataclass(frozen=True, slots=True)
class JudgedEvidence:
    """A span that was found in a labelled note."""

    features: Features = field(repr=False)
    score: float
    """Its score before calibration."""
    right: bool
    """Whether it touches PHI."""


@dataclass(slots=True)
class EvidenceRecorder:
    """Stands in for a calibration: keeps the evidence and leaves scores as they are.

    A detector asks twice for each note: for what was found, and for what the sweep added.
    """

    calls: list[list[tuple[Span, Features]]] = field(
        default_factory=list[list[tuple[Span, Features]]], repr=False
    )

    def calibrate(
        self, text: str, spans: Sequence[Span], reports: Sequence[Span]
    ) -> tuple[Span, ...]:
        """Record the evidence for each span, and return the spans."""
        evidence = gather_evidence(spans, reports)
        pairs = zip(spans, evidence, strict=True)
        self.calls.append([(span, features_of(text, span, own)) for span, own in pairs])
        return tuple(spans)


def fit_weights(examples: Sequence[JudgedEvidence]) -> Mapping[str, float]:
    """Return the weight of each kind of evidence, as log odds.

    The most probable weights under normal priors around 0 (ridge), by Newton's method. The same
    examples give the same weights, up to rounding.

    Raises:
        ValueError: The examples are all right, all wrong, or none.
    """
    if len({example.right for example in examples}) < len((False, True)):
        msg = "the spans are all right, all wrong, or none"
        raise ValueError(msg)
    names = _choose_names(examples)
    rows = np.array(
        [[example.features.get(name, 0.0) for name in names] for example in examples], np.float64
    )
    right = np.array([example.right for example in examples], np.float64)
    pull = np.array([_pull_of(name) for name in names])
    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        step = _newton_step(rows, right, weights, pull)
        weights += step
        if np.abs(step).max() < _CONVERGED:
            break
    return {name: round(float(w), _DIGITS) for name, w in zip(names, weights, strict=True)}


def _choose_names(examples: Sequence[JudgedEvidence]) -> list[str]:
    counts = Counter(name for example in examples for name in example.features)
    return sorted(name for name, count in counts.items() if count >= RARE or name in _FREE)


def _pull_of(name: str) -> float:
    if name.partition(".")[0] in _FREE:
        return _PULL_FREE
    if ":" not in name:
        return _PULL_GROUP
    return _PULL_RULE if "." in name else _PULL_MODULE


def _newton_step(
    rows: NDArray[np.float64],
    right: NDArray[np.float64],
    weights: NDArray[np.float64],
    pull: NDArray[np.float64],
) -> NDArray[np.float64]:
    likely = 1 / (1 + np.exp(-(rows @ weights)))
    curvature = (rows * (likely * (1 - likely))[:, None]).T @ rows + np.diag(pull)
    slope = rows.T @ (right - likely) - pull * weights
    step: NDArray[np.float64] = np.linalg.solve(curvature, slope).astype(np.float64)
    return step
