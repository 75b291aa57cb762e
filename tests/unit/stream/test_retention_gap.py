"""The retention gap: what was deleted unread is counted, other gaps are not."""

import pytest

from deidstream.schemas.outcome import Coordinates
from deidstream.stream.kafka.retention_gap import RetentionGaps
from deidstream.stream.observing import metrics

PLACE = ("raw", 0)
pytestmark = pytest.mark.usefixtures("expects_errors")


def sources(*offsets: int) -> list[Coordinates]:
    return [Coordinates(*PLACE, offset) for offset in offsets]


def look(gaps: RetentionGaps, taken: int, read: int, first: int, *, idle: bool = False) -> int:
    return gaps.look({PLACE: taken}, {PLACE: read}, {PLACE: first}, idle=idle)


def test_a_jump_over_deleted_offsets_is_counted_once() -> None:
    gaps, before = RetentionGaps(), metrics.value("deid_lost_to_retention_total")
    gaps.follow(sources(170, 171), {PLACE: 100})
    assert look(gaps, 172, 172, 170) == 70
    assert look(gaps, 172, 172, 170) == 0
    assert metrics.value("deid_lost_to_retention_total") - before == 70


def test_a_jump_in_a_whole_log_is_a_gap_of_a_transaction() -> None:
    gaps = RetentionGaps()
    gaps.follow(sources(100, 102, 105), {PLACE: 100})
    assert look(gaps, 106, 106, 0) == 0
    assert look(gaps, 106, 106, 106) == 0


def test_where_nothing_follows_it_is_counted_when_the_worker_has_stood_still() -> None:
    gaps = RetentionGaps()
    assert look(gaps, 100, 150, 150, idle=True) == 0
    assert look(gaps, 100, 150, 150, idle=True) == 50
    assert look(gaps, 100, 150, 150, idle=True) == 0
    gaps.follow(sources(150), {PLACE: 100})
    assert look(gaps, 151, 151, 150) == 0


def test_messages_in_work_are_not_lost() -> None:
    gaps = RetentionGaps()
    for _ in range(3):
        assert look(gaps, 100, 150, 150) == 0


def test_a_marker_at_the_end_of_a_log_is_not_lost() -> None:
    gaps = RetentionGaps()
    assert look(gaps, 100, 101, 50, idle=True) == 0
    for _ in range(3):
        assert look(gaps, 100, 101, 101, idle=True) == 0


def test_a_new_group_has_lost_nothing() -> None:
    gaps = RetentionGaps()
    gaps.follow(sources(70), {PLACE: -1})
    for _ in range(3):
        assert look(gaps, -1, 70, 70, idle=True) == 0
