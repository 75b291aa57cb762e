"""The report that the counted measures make."""

from typing import Any

import pytest

from deidstream.models.risk.measured import METHOD_VERSION, Measured, make_report, rank_reasons
from deidstream.schemas.outcome import RiskLevel
from deidstream.schemas.risk_policy import THRESHOLDS_OF, Adversary, RiskMeasure, RiskPolicy

UNIQUE, RESIDUAL = RiskMeasure.CONTEXT_UNIQUENESS, RiskMeasure.RESIDUAL
QUASI, LINKAGE = RiskMeasure.QUASI, RiskMeasure.LINKAGE
CALM = {one: Measured(0.0, (f"CALM:{one.name}",)) for one in RiskMeasure}


def level(policy: RiskPolicy, **values: float) -> RiskLevel:
    measured = CALM | {RiskMeasure[name]: Measured(value) for name, value in values.items()}
    return make_report(measured, policy, 3).level


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, "green"), (0.1299, "green"), (0.13, "yellow"), (0.1999, "yellow"), (0.2, "red")],
)
def test_levels_come_from_the_thresholds(value: float, expected: str) -> None:
    assert level(RiskPolicy(), RESIDUAL=value) == expected


@pytest.mark.parametrize("measure", [RESIDUAL, QUASI, LINKAGE])
def test_each_measure_has_its_own_two_thresholds(measure: RiskMeasure) -> None:
    yellow, red = THRESHOLDS_OF[measure]
    pair: dict[str, Any] = {red: 0.6, yellow: 0.5}
    policy = RiskPolicy(Adversary.HOLDS_ORIGINALS, **pair)
    levels = [level(policy, **{measure.name: value}) for value in (0.49, 0.5, 0.6)]
    assert levels == [RiskLevel.GREEN, RiskLevel.YELLOW, RiskLevel.RED]


def test_the_level_is_the_worst_of_what_the_adversary_counts() -> None:
    assert level(RiskPolicy(), LINKAGE=1.0, CONTEXT_UNIQUENESS=1.0) is RiskLevel.GREEN
    holds = RiskPolicy(Adversary.HOLDS_ORIGINALS)
    assert level(holds, LINKAGE=1.0) is RiskLevel.RED
    assert level(holds, QUASI=0.13, RESIDUAL=0.01) is RiskLevel.YELLOW


def test_named_measures_stand_in_the_place_of_the_adversary_s() -> None:
    alone = RiskPolicy(Adversary.HOLDS_ORIGINALS, (UNIQUE,))
    assert level(alone, LINKAGE=1.0, RESIDUAL=1.0) is RiskLevel.GREEN
    assert level(alone, CONTEXT_UNIQUENESS=0.5) is RiskLevel.YELLOW
    assert level(alone, CONTEXT_UNIQUENESS=0.51) is RiskLevel.RED


def test_the_report_says_the_worst_measure_its_reasons_and_the_method() -> None:
    measured = CALM | {QUASI: Measured(0.3, ("RARE_WORDS",)), RESIDUAL: Measured(0.05, ("X:NAME",))}
    report = make_report(measured, RiskPolicy(), 3)
    assert (report.level, report.score) == (RiskLevel.RED, 0.3)
    assert report.reasons == ("RARE_WORDS", "X:NAME")
    assert (report.method, report.method_version) == ("residual+quasi", METHOD_VERSION)
    assert report.measures == {
        "context_uniqueness": 0.0,
        "residual": 0.05,
        "quasi": 0.3,
        "linkage": 0.0,
        "entities": 3.0,
    }


def test_a_measure_that_was_not_taken_is_not_reported() -> None:
    taken = {one: CALM[one] for one in (UNIQUE, RESIDUAL, QUASI)}
    assert "linkage" not in make_report(taken, RiskPolicy(), 0).measures


def test_reasons_are_ranked_by_weight() -> None:
    assert rank_reasons({"B": 0.1, "A": 0.1, "C": 0.5, "D": 0.0}, 3) == ("C", "A", "B")
