"""Compare the rates of PHI labels with those of the week before (ADR 54).

A label that is found less often than before may be a leak in progress.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import log

WARN, ALARM = 0.1, 0.25
"""Bounds of the index; the usual ones of credit scoring, where it comes from."""
LEAST_NOTES = 200
"""No index is computed where either side has fewer notes."""
FELL_SHARE = 0.5
"""A label has fallen when its rate is below this share of the week's. The index does not show that,
as one label alone moves it little."""
LEAST_EXPECTED = 50
"""With fewer expected spans, a label does not count as fallen."""
_PRIOR = 0.5
"""Added to each count, so that a label that was never found has a logarithm."""


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Replaced spans by label, and the emitted notes that they are of."""

    notes: float
    labels: Mapping[str, float]

    def only(self, labels: Collection[str]) -> "LabelCounts":
        """Return the counts of some labels alone."""
        return LabelCounts(self.notes, {k: n for k, n in self.labels.items() if k in labels})

    def per_thousand(self, label: str) -> float | None:
        """Return the spans of a label per 1,000 notes; ``None`` without notes."""
        return 1_000 * self.labels.get(label, 0.0) / self.notes if self.notes else None


@dataclass(frozen=True, slots=True)
class LabelDrift:
    """One label: spans per 1,000 notes, and its part of the index."""

    label: str
    hour: float | None
    day: float | None
    week: float | None
    part: float | None
    ratio: float | None
    """Spans of the last hour as a share of those to be expected; ``None`` where these are few."""

    @property
    def fell(self) -> bool:
        """Whether it is found much less often than before."""
        return self.ratio is not None and self.ratio < FELL_SHARE


@dataclass(frozen=True, slots=True)
class Drift:
    """The rates of a group beside those of the seven days before today (UTC)."""

    psi: Mapping[str, float | None]
    """The index of the last ``hour`` and of the ``day`` that began at midnight, UTC."""
    labels: tuple[LabelDrift, ...]
    """Those with the greatest part first."""
    notes: Mapping[str, float]
    """Emitted notes of the ``hour``, the ``day`` and the ``week``."""


def stability_index(now: LabelCounts, before: LabelCounts) -> float | None:
    """Return the population stability index of label rates; ``None`` where too few are known.

    ``sum((p - q) * ln(p / q))`` over all labels. ``q`` is a label's share of all spans before;
    ``p`` its rate now, as a share of the rate of all spans before. So ``p`` adds up to 1 only
    where as many spans are found in a note as before: the index is the usual one there, and it
    rises too where *every* label is found less often, which shares alone would not show. All rates
    halved give .35, all rates 40 % lower .20.
    """
    parts = index_parts(now, before)
    return sum(parts.values()) if parts else None


def index_parts(now: LabelCounts, before: LabelCounts) -> dict[str, float]:
    """Return the part of each label in the index; nothing where too few notes are known."""
    if min(now.notes, before.notes) < LEAST_NOTES:
        return {}
    labels = {label for each in (now, before) for label, count in each.labels.items() if count}
    if not labels:
        return {}
    rates = {
        label: (
            (now.labels.get(label, 0.0) + _PRIOR) / now.notes,
            (before.labels.get(label, 0.0) + _PRIOR) / before.notes,
        )
        for label in labels
    }
    whole = sum(was for _, was in rates.values())
    return {label: (p - q) / whole * log(p / q) for label, (p, q) in rates.items()}


def rate_ratio(label: str, now: LabelCounts, before: LabelCounts) -> float | None:
    """Return the spans of a label as a share of those to be expected at the rate of before."""
    if not before.notes:
        return None
    expected = before.labels.get(label, 0.0) / before.notes * now.notes
    return now.labels.get(label, 0.0) / expected if expected >= LEAST_EXPECTED else None


def compare_rates(hour: LabelCounts, day: LabelCounts, week: LabelCounts) -> Drift:
    """Compare the last hour and today with the seven days before."""
    parts = index_parts(hour, week) or index_parts(day, week)
    labels = {label for each in (hour, day, week) for label, count in each.labels.items() if count}
    rows = [
        LabelDrift(
            label,
            hour.per_thousand(label),
            day.per_thousand(label),
            week.per_thousand(label),
            parts.get(label),
            rate_ratio(label, hour, week),
        )
        for label in labels
    ]
    rows.sort(key=_rank)
    return Drift(
        {"hour": stability_index(hour, week), "day": stability_index(day, week)},
        tuple(rows),
        {"hour": hour.notes, "day": day.notes, "week": week.notes},
    )


def _rank(row: LabelDrift) -> tuple[bool, float, float, str]:
    return not row.fell, -(row.part or 0.0), -(row.hour or row.day or 0.0), row.label
