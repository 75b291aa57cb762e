"""What the readers of a standing sample have found: bounds of leaks, by week and note type."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson

from deidstream.agents.operations.standing_board import FORM, Standing
from deidstream.study.validation.evidence.reader_figures import measure_readers
from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.population import UNKNOWN
from deidstream.study.validation.site.validation_plan import ValidationPlan
from deidstream.study.validation.statistics.intervals import find_exact_interval
from deidstream.study.validation.statistics.sample_size import find_units_to_read

WEEK = "week"
"""Fact of a note of a standing sample: the ISO week in which its output was drawn."""
WEEKS = 13
"""The last weeks that count together: a quarter of a year."""
ALL, OTHERS = "all", "others"
MOST_TYPES = 10
"""Note types that are counted apart; the rarer ones are counted together."""
_DIGITS = 6


def name_week(seconds: float) -> str:
    """Return the ISO week of a moment in UTC, such as ``2026-W48``."""
    year, week, _ = datetime.fromtimestamp(seconds, UTC).isocalendar()
    return f"{year}-W{week:02}"


@dataclass(slots=True)
class _Cell:
    read: int = 0
    leaking: int = 0


@dataclass(slots=True)
class _Table:
    """Notes read and leaking, by what they have in common."""

    cells: dict[tuple[str, str], _Cell] = field(default_factory=dict[tuple[str, str], _Cell])

    def add(self, week: str, kind: str, *, leaks: bool) -> None:
        for key in ((week, kind), (week, ALL), ("", kind), ("", ALL)):
            cell = self.cells.setdefault(key, _Cell())
            cell.read += 1
            cell.leaking += leaks


def describe_standing(
    judged: Mapping[int, JudgedNote], plan: ValidationPlan, now: float
) -> dict[str, Any]:
    """Return the figures that the operations page shows.

    Bounds are those of Clopper and Pearson, one-sided, and the upper one is divided by the share of
    the controls that the readers saw. Disputed notes wait for the adjudicator and are left out.

    Args:
        judged: The notes that all readers have read.
        plan: What is claimed, and at which confidence.
        now: Seconds of the Unix clock.
    """
    claim = plan.claim
    decided = [one for _, one in sorted(judged.items()) if one.is_decided]
    recent = list_recent_weeks(judged)
    counted = [one for one in decided if one.note.facts[WEEK] in recent]
    seen = measure_readers(counted, plan).seen if counted else plan.seen
    names = _name_types(counted)
    table = _Table()
    for one in counted:
        kind = names.get(one.note.facts["note_type"], OTHERS)
        table.add(one.note.facts[WEEK], kind, leaks=bool(one.leaks(claim.kinds)))
    table.cells.setdefault(("", ALL), _Cell())
    return {
        "form": FORM,
        "at": datetime.fromtimestamp(now, UTC).isoformat(timespec="minutes"),
        "claim": claim.notes,
        "confidence": claim.confidence,
        "needed": find_units_to_read(
            claim.notes, confidence=claim.confidence, sensitivity=min(seen, 1.0)
        ),
        "disputed": len(judged) - len(decided),
        "rows": [
            {
                "week": week,
                "note_type": kind,
                "read": cell.read,
                "leaking": cell.leaking,
                **_bound(cell, claim.confidence, seen),
            }
            for (week, kind), cell in sorted(table.cells.items())
        ],
    }


def list_recent_weeks(judged: Mapping[int, JudgedNote]) -> frozenset[str]:
    """Return the last weeks of which notes were read: those that count together."""
    weeks = {one.note.facts[WEEK] for one in judged.values() if one.is_decided}
    return frozenset(sorted(weeks)[-WEEKS:])


def judge_rows(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of figures, each with what its bounds say of the claim."""
    standing = Standing.decode(orjson.dumps(figures))
    assert standing is not None  # noqa: S101 - we have written them
    return [{**asdict(row), "state": standing.judge(row)} for row in standing.rows]


def _name_types(counted: Sequence[JudgedNote]) -> dict[str, str]:
    types = Counter(one.note.facts["note_type"] for one in counted)
    common = [kind for kind, _ in types.most_common(MOST_TYPES)]
    return {kind: kind for kind in common if kind not in {ALL, OTHERS, ""}} | {"": UNKNOWN}


def _bound(cell: _Cell, confidence: float, seen: float) -> dict[str, float]:
    # Both ends of an interval of this confidence are one-sided bounds of the confidence asked for.
    interval = find_exact_interval(cell.leaking, cell.read, 2 * confidence - 1)
    upper = min(1.0, interval.high / seen)
    return {"lower": round(interval.low, _DIGITS), "upper": round(upper, _DIGITS)}
