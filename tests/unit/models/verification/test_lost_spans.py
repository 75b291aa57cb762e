"""What detection found must have been replaced, whatever became of the spans in between."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import Detected, Substituted
from deidstream.models.verification.replaced_spans import is_span_lost
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from support.outputs import output

POLICY = read_shipped_policy("surrogate")
NOTE = "Dr. {DOCTOR:Ann Zyxwvut} and {PATIENT:Bo Quilby} of {CITY:Cork}"
ANN, BO, CORK = Span(4, 15, PhiLabel.DOCTOR), Span(20, 29, PhiLabel.PATIENT), (33, 37)


def counted(*spans: Span) -> Substituted:
    """The output of a note in which these spans counted."""
    made = output(NOTE)
    detected: Detected = replace(made.planned.detected, counted=spans)
    return replace(made, planned=replace(made.planned, detected=detected))


def lost(*spans: Span) -> bool:
    made = counted(*spans)
    return is_span_lost(made.planned.detected, made.replacements)


def test_what_was_replaced_is_not_lost() -> None:
    assert not lost()
    assert not lost(ANN, BO)
    assert not lost(BO, ANN, replace(ANN, end=7), replace(BO, start=23))


@pytest.mark.parametrize("place", [(0, 3), (0, 15), (4, 19), (16, 29), (16, 19), (20, 37), (0, 37)])
def test_a_word_outside_the_replaced_spans_is_lost(place: tuple[int, int]) -> None:
    made = counted(ANN, Span(*place, PhiLabel.DOCTOR))
    lost = not ((place[0] >= 15 and place[1] <= 20) or place in {(4, 19), (16, 29), (20, 37)})
    assert is_span_lost(made.planned.detected, made.replacements) == lost
    assert (find_leak(made, POLICY) is LeakKind.LOST) == lost


def test_blanks_points_and_small_words_between_spans_are_no_loss() -> None:
    assert not lost(Span(4, 37, PhiLabel.DOCTOR))
    assert lost(Span(1, 37, PhiLabel.DOCTOR))


def test_a_quasi_identifier_may_be_left_to_its_operator() -> None:
    assert not lost(Span(0, 3, PhiLabel.CITY))
    assert not lost(Span(*CORK, PhiLabel.CITY))


def test_a_word_behind_every_replaced_span_is_lost() -> None:
    made = output("Dr. {DOCTOR:Ann Zyxwvut} saw Bo Quilby")
    behind, over = Span(20, 29, PhiLabel.PATIENT), Span(4, 29, PhiLabel.PATIENT)
    for spans in ((behind,), (over,), (ANN, behind)):
        detected = replace(made.planned.detected, counted=spans)
        assert is_span_lost(detected, made.replacements)


def test_where_replaced_spans_touch_nothing_is_lost_between() -> None:
    made = output("{DOCTOR:Ann}{PATIENT:Bo} sat")
    both = (Span(0, 5, PhiLabel.DOCTOR), Span(3, 5, PhiLabel.PATIENT))
    assert not is_span_lost(replace(made.planned.detected, counted=both), made.replacements)
