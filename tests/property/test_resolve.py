from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.reconcile import SOURCES, resolve
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

LENGTH = 40


@st.composite
def a_span(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, LENGTH - 1))
    end = draw(st.integers(start + 1, LENGTH))
    label = draw(st.sampled_from(PhiLabel))
    score = draw(st.sampled_from([0.2, 0.5, 1.0]))
    return Span(start, end, label, score, draw(st.sampled_from((*SOURCES, "rules:x", ""))))


spans = st.lists(a_span(), max_size=12)


def covered(found: list[Span] | tuple[Span, ...]) -> set[int]:
    return {place for span in found for place in range(span.start, span.end)}


@given(spans)
def test_every_character_stays_covered_and_no_other_is(found: list[Span]) -> None:
    assert covered(resolve(found, length=LENGTH)) == covered(found)


@given(spans)
def test_resolved_spans_are_disjoint_and_in_order(found: list[Span]) -> None:
    out = resolve(found, length=LENGTH)
    assert all(one.end <= other.start for one, other in pairwise(out))


@pytest.mark.slow
@given(spans)
def test_resolving_twice_changes_nothing(found: list[Span]) -> None:
    once = resolve(found, length=LENGTH)
    assert resolve(once, length=LENGTH) == once


@given(spans.flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))))
def test_the_order_of_the_spans_does_not_count(pair: tuple[list[Span], list[Span]]) -> None:
    found, shuffled = pair
    assert resolve(shuffled, length=LENGTH) == resolve(found, length=LENGTH)


@given(spans)
def test_each_resolved_span_speaks_for_its_surest_member(found: list[Span]) -> None:
    for span in resolve(found, length=LENGTH):
        members = [one for one in found if one.start < span.end and span.start < one.end]
        assert span.score == max(one.score for one in members)
