"""Levels by share: the cut of many scores, note types of their own, and what a record says."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from deidstream.models.risk.levels_by_share import MOST_TYPES, GroupCounts, OwnRanks
from deidstream.models.risk.score_counts import EDGES, find_bin, find_cuts
from deidstream.schemas.outcome import (
    Anonymized,
    LevelCuts,
    LevelRule,
    Outcome,
    Ranking,
    RiskLevel,
    RiskReport,
)
from support.outcomes import anonymized

RED, YELLOW = 0.05, 0.15
GROUP = "a" * 32
NOTE = anonymized("Calm.")


def note(score: float, note_type: str = "", group: str = GROUP, red: float = 0.2) -> Anonymized:
    risk = RiskReport(RiskLevel.GREEN, score, cuts=LevelCuts(red * 0.65, red))
    return replace(NOTE, risk=risk, ranking=Ranking(group, note_type, RED, YELLOW))


def levels(outcomes: list[Outcome]) -> Counter[RiskLevel]:
    return Counter(one.risk.level for one in outcomes if isinstance(one, Anonymized))


def draw_scores(count: int, mean: float = 0.05) -> list[float]:
    rng = random.Random(7)
    return [round(min(1.0, rng.expovariate(1 / mean)), 4) for _ in range(count)]


@pytest.mark.parametrize("mean", [0.004, 0.05, 0.2])
def test_the_worst_twentieth_is_red_however_risky_notes_are(mean: float) -> None:
    ranked = OwnRanks().rank([note(score) for score in draw_scores(4_000, mean)])
    found = levels(ranked)
    assert found[RiskLevel.RED] == pytest.approx(200, abs=30)
    assert found[RiskLevel.YELLOW] == pytest.approx(600, abs=60)


def test_a_record_says_the_rule_and_the_cuts_that_made_its_level() -> None:
    for one in OwnRanks().rank([note(score, "b" * 16) for score in draw_scores(1_000)]):
        assert isinstance(one, Anonymized)
        assert one.risk.rule is LevelRule.SHARE_OF_TYPE
        assert one.risk.cuts is not None
        assert one.risk.level is one.risk.cuts.level_of(one.risk.score)
        assert one.ranking is None


def test_a_type_with_few_notes_is_ranked_among_all() -> None:
    ranks = OwnRanks()
    ranks.rank([note(score, "b" * 16) for score in draw_scores(1_000)])
    few, none = ranks.rank([note(0.9, "c" * 16), note(0.9)])
    assert isinstance(few, Anonymized)
    assert isinstance(none, Anonymized)
    assert few.risk.rule is none.risk.rule is LevelRule.SHARE
    assert few.risk.level is RiskLevel.RED


def test_with_few_notes_thresholds_make_the_level() -> None:
    before = note(0.25, "b" * 16)
    (ranked,) = OwnRanks().rank([before])
    assert isinstance(ranked, Anonymized)
    assert ranked.risk == before.risk
    assert ranked.risk.rule is LevelRule.THRESHOLD


def test_each_type_has_its_own_cut() -> None:
    calm = [note(score, "b" * 16) for score in draw_scores(1_000, 0.01)]
    risky = [note(score, "c" * 16) for score in draw_scores(1_000, 0.3)]
    ranked = OwnRanks().rank([*calm, *risky])
    assert levels(ranked[:1_000])[RiskLevel.RED] == pytest.approx(50, abs=15)
    assert levels(ranked[1_000:])[RiskLevel.RED] == pytest.approx(50, abs=15)


def test_tenants_and_policies_are_apart() -> None:
    ranks = OwnRanks()
    ranks.rank([note(score) for score in draw_scores(1_000)])
    (other,) = ranks.rank([note(0.9, group="b" * 32)])
    assert isinstance(other, Anonymized)
    assert other.risk.rule is LevelRule.THRESHOLD


def test_a_measure_is_compared_with_its_own_threshold() -> None:
    assert find_bin(note(0.18, red=0.2).risk) == find_bin(note(0.081, red=0.09).risk)


def test_ranked_notes_are_not_counted_again() -> None:
    ranks = OwnRanks()
    once = ranks.rank([note(score) for score in draw_scores(1_000)])
    counted = ranks.save()
    assert ranks.rank(once) == once
    assert ranks.save() == counted


def test_kept_counts_go_on() -> None:
    ranks, other = OwnRanks(), OwnRanks()
    ranks.rank([note(score, "b" * 16) for score in draw_scores(1_000)])
    other.restore(ranks.save())
    more = [note(score, "b" * 16) for score in draw_scores(100, 0.2)]
    assert other.rank(more) == ranks.rank(more)


def test_where_many_scores_are_the_same_the_nearest_share_is_taken() -> None:
    worst = len(EDGES)
    tied = find_cuts(Counter({worst: 60, 3: 940}), RED, YELLOW)
    assert tied is not None
    assert tied.red == worst
    most = find_cuts(Counter({worst: 500, 3: 500}), RED, YELLOW)
    assert most is not None
    assert most.red > worst  # half of all notes is not the worst twentieth


def test_notes_without_any_risk_are_green() -> None:
    ranked = OwnRanks().rank([note(0.0) for _ in range(1_000)])
    assert levels(ranked) == {RiskLevel.GREEN: 1_000}


def test_types_without_end_do_not_fill_the_memory() -> None:
    group = GroupCounts()
    for number in range(1_000):
        group.add(Ranking(GROUP, f"{number:016x}", RED, YELLOW), 5)
    assert len(group.parts) <= MOST_TYPES + 1
    assert group.parts[""][5] == 1_000
