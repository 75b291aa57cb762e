import pytest

from deidstream.models.detection.reconcile import resolve
from deidstream.schemas.errors import InvalidSpan, Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

PATIENT, DOCTOR, CITY = PhiLabel.PATIENT, PhiLabel.DOCTOR, PhiLabel.CITY


def test_nothing_resolves_to_nothing() -> None:
    assert resolve([], length=0) == ()


def test_spans_apart_come_back_in_order() -> None:
    spans = Span(5, 8, CITY), Span(0, 3, PATIENT)
    assert resolve(spans, length=8) == (Span(0, 3, PATIENT), Span(5, 8, CITY))


def test_spans_that_touch_stay_apart() -> None:
    spans = Span(0, 3, PATIENT), Span(3, 6, PATIENT)
    assert resolve(spans, length=6) == spans


def test_a_partial_overlap_becomes_one_span_of_the_surer_label() -> None:
    spans = Span(0, 5, PATIENT, 0.5, "tagger"), Span(3, 9, DOCTOR, 0.9, "rules:x")
    assert resolve(spans, length=9) == (Span(0, 9, DOCTOR, 0.9, "rules:x"),)


def test_a_less_sure_span_disappears_into_the_one_around_it() -> None:
    spans = Span(0, 9, PATIENT, 0.9), Span(3, 5, CITY, 0.4)
    assert resolve(spans, length=9) == (Span(0, 9, PATIENT, 0.9),)


def test_a_surer_short_span_gives_its_label_to_the_long_one_around_it() -> None:
    spans = Span(0, 9, PATIENT, 0.4), Span(3, 5, CITY, 0.9)
    assert resolve(spans, length=9) == (Span(0, 9, CITY, 0.9),)


def test_a_chain_of_overlaps_becomes_one_span() -> None:
    spans = Span(0, 4, CITY, 0.2), Span(3, 7, PATIENT, 0.8), Span(6, 9, CITY, 0.1)
    assert resolve(spans, length=9) == (Span(0, 9, PATIENT, 0.8),)


def test_of_equal_scores_the_longer_wins() -> None:
    spans = Span(0, 6, CITY, 0.5), Span(4, 7, PATIENT, 0.5)
    assert resolve(spans, length=7) == (Span(0, 7, CITY, 0.5),)


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("sweep", "dictionary:person.forward"),
        ("dictionary:person.forward", "tagger"),
        ("tagger", "rules:date.iso"),
        ("rules:date.iso", "dictionary:deny"),
        ("dictionary:deny", "known"),
    ],
)
def test_of_equal_spans_the_better_source_wins(weaker: str, stronger: str) -> None:
    spans = Span(0, 3, PATIENT, 1.0, stronger), Span(0, 3, CITY, 1.0, weaker)
    assert resolve(spans, length=3) == (spans[0],)
    assert resolve(reversed(spans), length=3) == (spans[0],)


def test_a_span_beyond_the_text_is_refused() -> None:
    with pytest.raises(InvalidSpan) as caught:
        resolve([Span(0, 4, CITY)], length=3)
    assert (caught.value.reason, caught.value.stage) == (Reason.INVALID_SPAN, Stage.DETECT)
