"""How well the readers read: the controls that they saw, what both overlooked, how they agree."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deidstream.agents.review.agreement import (
    Agreement,
    measure_agreement,
    pair_words,
    single_out,
)
from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.validation_plan import CountedKinds, ValidationPlan
from deidstream.study.validation.statistics.intervals import find_exact_interval
from deidstream.study.validation.statistics.recapture import Captures, Recaptured, estimate_total

_FEWEST_CONTROLS = 30
"""Controls below which the sensitivity that the plan assumes is used in place of the measured."""
Pairs = Counter[tuple[PhiLabel | None, PhiLabel | None]]


@dataclass(frozen=True, slots=True)
class ReaderFigures:
    """How much the readers of a validation saw."""

    controls: int
    seen: float
    """Share of the controls that at least one reader saw, or what the plan assumes."""
    least: float
    """Exact lower bound of that share."""
    is_measured: bool
    record: dict[str, Any]
    """For the report."""


def measure_readers(judged: Sequence[JudgedNote], plan: ValidationPlan) -> ReaderFigures:
    """Measure how much the readers saw."""
    controls = [(one, control) for one in judged for control in one.controls]
    by_reader: dict[str, Any] = {}
    for reader in plan.readers:
        count = sum(control in one.seen_controls[reader] for one, control in controls)
        by_reader[reader] = _share(count, len(controls))
    together = sum(
        any(control in own for own in one.seen_controls.values()) for one, control in controls
    )
    pair = find_exact_interval(together, len(controls))
    is_measured = len(controls) >= _FEWEST_CONTROLS and together > 0
    seen = pair.share if is_measured else plan.seen
    record: dict[str, Any] = {
        "controls": len(controls),
        "readers": by_reader,
        "together": _share(together, len(controls)),
        "assumed": plan.seen,
        "used": seen,
        "is_measured": is_measured,
    }
    if len(plan.readers) == 2:  # noqa: PLR2004 - nothing to compare with one
        record |= _compare_readers(judged, plan)
    least = pair.low if is_measured else plan.seen
    return ReaderFigures(len(controls), seen, least, is_measured, record)


def _share(found: int, of: int) -> dict[str, float]:
    interval = find_exact_interval(found, of)
    return {
        "found": found,
        "of": of,
        "share": interval.share,
        "low": interval.low,
        "high": interval.high,
    }


def _compare_readers(judged: Sequence[JudgedNote], plan: ValidationPlan) -> dict[str, Any]:
    pairs = Pairs()
    for one in judged:
        pairs.update(_pair_words(one, plan))
    labels = sorted({label for pair in pairs for label in pair if label is not None})
    captures = {label: Captures(0, 0, 0) for label in labels}
    every = list(_capture(judged, plan))
    captures = {
        label: _count(labelled for labelled in every if labelled[0] == label) for label in labels
    }
    return {
        "agreement": _record_agreement(measure_agreement(pairs)),
        "agreement_by_label": {
            label: _record_agreement(measure_agreement(single_out(pairs, label)))
            for label in labels
        },
        "recapture": _record_recapture(_count(iter(every))),
        "recapture_by_label": {label: _record_recapture(one) for label, one in captures.items()},
        "disputed": sum(
            len(place.by) < 2 or len(set(place.by.values())) > 1  # noqa: PLR2004
            for one in judged
            for place in one.places
        ),
    }


def _pair_words(
    one: JudgedNote, plan: ValidationPlan
) -> Iterator[tuple[PhiLabel | None, PhiLabel | None]]:
    """Return what both readers say of each word that they saw as plain text."""
    shown = [span for span in one.note.spans if not span.is_control]
    first, second = (one.readings[reader].marks for reader in plan.readers)
    return pair_words(one.note.text, first, second, shown)


Capture = tuple[PhiLabel, bool, bool]
"""The label of an identifier, and whether the first and the second reader found it."""


def _capture(judged: Sequence[JudgedNote], plan: ValidationPlan) -> Iterator[Capture]:
    """Yield the identifiers that stood in plain text: controls and leaks that were confirmed."""
    first, second = plan.readers
    for one in judged:
        for control in one.controls:
            seen = [control in one.seen_controls[reader] for reader in (first, second)]
            if any(seen):
                yield control.label, seen[0], seen[1]
        for place in one.leaks(CountedKinds.ANY):
            if place.label is not None:
                yield place.label, first in place.by, second in place.by


def _count(found: Iterator[Capture]) -> Captures:
    counts = Counter((first, second) for _, first, second in found)
    return Captures(counts[True, True], counts[True, False], counts[False, True])


def _record_agreement(one: Agreement) -> dict[str, Any]:
    return {
        "words": one.units,
        "agreed": one.agreed,
        "kappa": one.kappa,
        "low": one.low,
        "high": one.high,
    }


def _record_recapture(captures: Captures) -> dict[str, Any]:
    total: Recaptured = estimate_total(captures)
    return {
        "both": captures.both,
        "first": captures.first,
        "second": captures.second,
        "total": total.total,
        "high": total.high,
        "seen": total.seen,
    }
