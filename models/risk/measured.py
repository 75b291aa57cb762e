"""What one measure says of one note, and the report that the counted measures make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deidstream.schemas.outcome import RiskLevel, RiskReport
from deidstream.schemas.risk_policy import RiskMeasure, RiskPolicy

METHOD_VERSION: Final = 6
"""Counts every change after which the same note and policy may get another level."""
_SEVERITY = (RiskLevel.GREEN, RiskLevel.YELLOW, RiskLevel.RED)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one measure says of one note."""

    value: float
    """In ``[0, 1]``, rounded."""
    reasons: tuple[str, ...] = ()
    """Codes, most weighty first; never text."""


def make_report(
    measured: Mapping[RiskMeasure, Measured], policy: RiskPolicy, entities: int
) -> RiskReport:
    """Make the report of a note: its level is the worst of the measures that count.

    Args:
        measured: Holds each measure that counts; others are reported and decide nothing.
        policy: Says which count and from where on they are yellow and red.
        entities: Replaced spans that the output still shows.
    """
    counted = sorted(policy.counted, key=lambda measure: _rank(measure, measured, policy))
    worst = counted[0]
    levels = {policy.level_of(measure, measured[measure].value) for measure in counted}
    reasons = [reason for measure in counted for reason in measured[measure].reasons]
    figures = {_name_of(measure): one.value for measure, one in measured.items()}
    return RiskReport(
        level=max(levels, key=_SEVERITY.index),
        score=measured[worst].value,
        measures=figures | {"entities": float(entities)},
        reasons=tuple(reasons),
        method="+".join(one for one in RiskMeasure if one in policy.counted),
        method_version=METHOD_VERSION,
        cuts=policy.cuts_of(worst),
    )


def _rank(
    measure: RiskMeasure, measured: Mapping[RiskMeasure, Measured], policy: RiskPolicy
) -> tuple[int, float, int]:
    """Return the sorting key of measures: the worst level first, then nearest to its red.

    By share, notes are ordered by how near they are to red: levels of thresholds do not count.
    """
    value = measured[measure].value
    level = 0 if policy.shares else _SEVERITY.index(policy.level_of(measure, value))
    nearness = value / max(policy.red_from(measure), 1e-9)
    return -level, -round(nearness, 6), list(RiskMeasure).index(measure)


def _name_of(measure: RiskMeasure) -> str:
    return measure.replace("-", "_")


def rank_reasons(weights: Mapping[str, float], most: int) -> tuple[str, ...]:
    """Return the codes with a weight, the heaviest first; equals in the order of the alphabet."""
    told: Sequence[str] = sorted(weights, key=lambda code: (-round(weights[code], 6), code))
    return tuple(code for code in told[:most] if weights[code] > 0)
