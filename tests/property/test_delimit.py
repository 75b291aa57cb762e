from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.reconcile import apply_tagger_borders
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

SOURCES = ("tagger", "rules:x", "known", "dictionary:deny", "sweep")
LABELS = (PhiLabel.CITY, PhiLabel.STATE, PhiLabel.DATE)
texts = st.text(st.sampled_from("ab1 ,.-\n\u0301"), min_size=1, max_size=40)


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[Span]]:
    text = draw(texts)
    places = st.integers(0, len(text) - 1)
    return text, draw(st.lists(st.builds(_span, st.just(len(text)), places, places), max_size=10))


def _span(length: int, one: int, other: int) -> Span:
    start, end = min(one, other), min(max(one, other) + 1, length)
    return Span(start, end, LABELS[one % 3], (one % 5) / 5, SOURCES[other % 5])


def covered(found: list[Span] | tuple[Span, ...]) -> set[int]:
    return {place for span in found for place in range(span.start, span.end)}


@given(marked())
def test_no_letter_or_digit_is_uncovered_and_no_character_is_added(
    given_: tuple[str, list[Span]],
) -> None:
    text, spans = given_
    before, after = covered(spans), covered(apply_tagger_borders(spans, text))
    assert after <= before
    assert all(text[place] in " ,.-\n" for place in before - after)


@given(marked())
def test_the_spans_are_disjoint_and_in_order(given_: tuple[str, list[Span]]) -> None:
    text, spans = given_
    out = apply_tagger_borders(spans, text)
    assert all(one.end <= other.start for one, other in pairwise(out))


@pytest.mark.slow
@given(marked())
def test_the_order_of_the_spans_does_not_count(given_: tuple[str, list[Span]]) -> None:
    text, spans = given_
    assert apply_tagger_borders(list(reversed(spans)), text) == apply_tagger_borders(spans, text)


@given(marked())
def test_doing_it_twice_changes_nothing(given_: tuple[str, list[Span]]) -> None:
    text, spans = given_
    once = apply_tagger_borders(spans, text)
    assert apply_tagger_borders(once, text) == once
