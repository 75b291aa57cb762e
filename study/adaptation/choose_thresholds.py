"""Choose how cautious the tagger is, so that enough identifiers are found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deidstream.models.detection.detector import Detector
from deidstream.models.recognizers.label_scores import WHOLE
from deidstream.models.recognizers.tagger import Tagger
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.policy import RecognizerName
from deidstream.study.adaptation.measure import Measured, measure

BOUNDS = (1.0, 0.1, 0.05, 0.02, 0.01)
"""Bounds of the tagger's thresholds that are tried: from its own to the most cautious."""


@dataclass(frozen=True, slots=True)
class ChosenBound:
    """A bound of the thresholds, and what was measured with it."""

    most: float
    """No threshold is above it; 1: they stay."""
    recall: float
    """Of tokens of direct identifiers, in the notes that it was chosen on."""
    measured: Measured


def choose_bound(detector: Detector, marked: Sequence[LabelledNote], wanted: float) -> ChosenBound:
    """Return the first bound that reaches the recall or, if none does, the best of all.

    The best one has the highest F-beta: the lowest bound would flag much for the last few.

    Args:
        detector: With the tagger whose thresholds are chosen.
        marked: Notes that the tagger has not learnt from.
        wanted: Share of the tokens of direct identifiers.
    """
    tried: list[ChosenBound] = []
    for most in BOUNDS:
        measured = measure(bound_thresholds(detector, most), marked)
        tried.append(ChosenBound(most, measured.direct.recall or 0.0, measured))
        if tried[-1].recall >= wanted:
            return tried[-1]
    return max(tried, key=lambda one: one.measured.f_beta)


def bound_thresholds(detector: Detector, most: float) -> Detector:
    """Return the detector with no threshold of its tagger above a bound."""
    recognizers = tuple(
        replace(each, own_thresholds=each.own_thresholds.clip(max=round(most * WHOLE)))
        if each.name == RecognizerName.TAGGER and isinstance(each, Tagger)
        else each
        for each in detector.recognizers
    )
    return replace(detector, recognizers=recognizers)
