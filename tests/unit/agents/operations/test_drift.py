"""The drift of label rates."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.operations.drift import (
    ALARM,
    LEAST_NOTES,
    WARN,
    LabelCounts,
    compare_rates,
    stability_index,
)

WEEK = LabelCounts(10_000, {"PATIENT": 30_000, "DATE": 50_000, "PHONE": 5_000})
COUNTS = st.dictionaries(st.sampled_from(["A", "B", "C", "D"]), st.integers(0, 10_000), min_size=1)


def scaled(counts: LabelCounts, by: float, notes: float = 1_000) -> LabelCounts:
    share = notes / counts.notes
    return LabelCounts(notes, {label: by * share * n for label, n in counts.labels.items()})


def test_the_same_rates_are_no_drift() -> None:
    index = stability_index(scaled(WEEK, 1), WEEK)
    assert index is not None
    assert index < 0.001


def test_the_usual_index_where_as_many_spans_are_found_in_a_note() -> None:
    before = LabelCounts(1_000, {"A": 60_000, "B": 40_000})
    now = LabelCounts(1_000, {"A": 40_000, "B": 60_000})
    expected = 0.2 * math.log(0.6 / 0.4) * 2
    assert stability_index(now, before) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("by", "least", "most"), [(0.5, 0.34, 0.36), (0.6, WARN, ALARM), (0.9, 0, WARN)]
)
def test_fewer_spans_of_every_label_are_drift(by: float, least: float, most: float) -> None:
    index = stability_index(scaled(WEEK, by), WEEK)
    assert index is not None
    assert least <= index <= most


def test_a_label_that_vanishes_is_the_first_row() -> None:
    found = {label: count for label, count in scaled(WEEK, 1).labels.items() if label != "PATIENT"}
    drift = compare_rates(LabelCounts(1_000, found), LabelCounts(0, {}), WEEK)
    assert drift.labels[0].label == "PATIENT"
    assert (drift.psi["hour"] or 0) > ALARM
    assert drift.psi["day"] is None


def test_one_label_that_falls_is_seen_where_the_index_is_small() -> None:
    share = 1_000 / WEEK.notes
    hour = {label: share * count for label, count in WEEK.labels.items()}
    hour["PATIENT"] *= 0.4
    drift = compare_rates(LabelCounts(1_000, hour), LabelCounts(0, {}), WEEK)
    assert (drift.psi["hour"] or 0) < ALARM
    assert [row.label for row in drift.labels if row.fell] == ["PATIENT"]
    assert drift.labels[0].label == "PATIENT"


def test_a_rare_label_is_not_said_to_fall() -> None:
    week = LabelCounts(10_000, {"SSN": 400, "DATE": 50_000})
    drift = compare_rates(LabelCounts(1_000, {"DATE": 5_000}), LabelCounts(0, {}), week)
    assert not any(row.fell for row in drift.labels)


def test_of_few_notes_nothing_is_said() -> None:
    few = LabelCounts(LEAST_NOTES - 1, {"PATIENT": 500})
    assert stability_index(few, WEEK) is None
    assert stability_index(WEEK, few) is None


@given(COUNTS, COUNTS, st.integers(LEAST_NOTES, 5_000), st.integers(LEAST_NOTES, 5_000))
def test_the_index_is_never_negative_and_has_no_direction(
    now: dict[str, int], before: dict[str, int], here: int, there: int
) -> None:
    index = stability_index(LabelCounts(here, now), LabelCounts(there, before))
    assert index is None or index >= 0


def test_a_label_that_no_policy_has_any_longer_is_not_said_to_fall() -> None:
    week = LabelCounts(10_000, {**WEEK.labels, "STUDY_NUMBER": 5_000})
    now = scaled(WEEK, 1)
    in_force = frozenset(WEEK.labels)
    drift = compare_rates(*(one.only(in_force) for one in (now, now, week)))
    assert not any(row.fell for row in drift.labels)
    assert compare_rates(now, now, week).labels[0].label == "STUDY_NUMBER"
