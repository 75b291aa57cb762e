import pytest

from deidstream.models.detection.reconcile import drop_possible, drop_uncorroborated_spans
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

HEARD = Span(5, 9, PhiLabel.PATIENT, 0.01, POSSIBLE)


def _kept(*spans: Span) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in drop_uncorroborated_spans(spans, length=30)]


@pytest.mark.parametrize(
    ("source", "score", "stays"),
    [
        ("rules:name.agent", 0.65, False),
        ("dictionary:person.alone", 0.5, False),
        ("rules:ssn", 0.96, True),
        ("dictionary:deny", 0.5, True),
        ("known", 0.5, True),
        ("tagger", 0.2, True),
        ("site-model", 0.2, True),
    ],
)
def test_only_a_doubtful_rule_can_be_contradicted(
    source: str,
    score: float,
    stays: bool,  # noqa: FBT001
) -> None:
    alone = Span(12, 20, PhiLabel.DOCTOR, score, source)
    assert _kept(HEARD, alone) == ([(12, 20)] if stays else [])


def test_a_doubtful_span_keeps_what_the_tagger_thinks_possible() -> None:
    assert _kept(HEARD, Span(0, 20, PhiLabel.PATIENT, 0.6, "rules:name")) == [(5, 9)]
    assert _kept(HEARD, Span(7, 20, PhiLabel.PATIENT, 0.6, "rules:name")) == [(7, 9)]


def test_what_the_tagger_found_speaks_too() -> None:
    found = Span(2, 9, PhiLabel.PATIENT, 0.99, "tagger")
    assert _kept(found, Span(0, 5, PhiLabel.DOCTOR, 0.6, "rules:name")) == [(2, 9), (2, 5)]


def test_what_is_only_possible_is_no_finding() -> None:
    sure = Span(0, 4, PhiLabel.DATE, 0.96, "rules:date")
    assert drop_possible((HEARD, sure)) == (sure,)
    assert _kept(HEARD) == []
