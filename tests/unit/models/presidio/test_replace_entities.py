"""Overlaps are resolved as Presidio does, and replacements stand where the items say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.presidio.ad_hoc import (
    MOST_FOUND,
    AdHocRecognizer,
    TooManyFound,
    find_ad_hoc,
)
from deidstream.models.presidio.entity_spans import EntitySpan, resolve_overlaps
from deidstream.models.presidio.replace_entities import (
    KeepEntity,
    MaskEntity,
    RedactEntity,
    ReplacedTextTooLong,
    ReplaceEntity,
    replace_entities,
)

LENGTH = 24
TEXTS = st.text("ab ", min_size=LENGTH, max_size=LENGTH)


@st.composite
def entity_spans(draw: st.DrawFn) -> EntitySpan:
    start = draw(st.integers(0, LENGTH - 1))
    end = draw(st.integers(start + 1, LENGTH))
    return EntitySpan(start, end, draw(st.sampled_from("XYZ")), draw(st.sampled_from([0.2, 0.8])))


SPANS = st.lists(entity_spans(), max_size=6)
OPERATORS = st.sampled_from(
    [
        ReplaceEntity(),
        ReplaceEntity("new"),
        RedactEntity(),
        KeepEntity(),
        MaskEntity("*", 2, from_end=True),
    ]
)


@given(TEXTS, SPANS)
def test_what_was_covered_stays_covered(text: str, spans: list[EntitySpan]) -> None:
    resolved = resolve_overlaps(spans, text)
    covered = {place for span in spans for place in range(span.start, span.end)}
    now = {place for span in resolved for place in range(span.start, span.end)}
    assert covered <= now
    assert all(text[place] == " " for place in now - covered)


@given(TEXTS, SPANS)
def test_no_span_is_within_another(text: str, spans: list[EntitySpan]) -> None:
    resolved = resolve_overlaps(spans, text)
    ends = [span.end for span in resolved]
    starts = [span.start for span in resolved]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


@given(TEXTS, SPANS, st.dictionaries(st.sampled_from(["X", "Y", "DEFAULT"]), OPERATORS))
def test_items_stand_where_they_say(
    text: str, spans: list[EntitySpan], operators: dict[str, ReplaceEntity]
) -> None:
    replaced = replace_entities(text, spans, operators)
    for item in replaced.items:
        assert replaced.text[item.start : item.end] == item.text
    assert [item.start for item in replaced.items] == sorted(
        (item.start for item in replaced.items), reverse=True
    )
    outside, position = "", 0
    for item in reversed(replaced.items):
        outside += replaced.text[position : item.start]
        position = item.end
    covered = {p for s in resolve_overlaps(spans, text) for p in range(s.start, s.end)}
    kept = "".join(letter for place, letter in enumerate(text) if place not in covered)
    assert outside + replaced.text[position:] == kept


def test_of_equal_spans_the_better_or_else_the_last_stays() -> None:
    worse, better = EntitySpan(0, 4, "X", 0.2), EntitySpan(0, 4, "Y", 0.8)
    assert resolve_overlaps([better, worse], "abcd") == [better]
    equal = EntitySpan(0, 4, "Z", 0.8)
    assert resolve_overlaps([better, equal], "abcd") == [equal]


def test_neighbours_of_one_entity_become_one_over_blanks() -> None:
    spans = [EntitySpan(0, 3, "X", 0.2), EntitySpan(4, 7, "X", 0.8)]
    assert resolve_overlaps(spans, "Ann Lee") == [EntitySpan(0, 7, "X", 0.8)]
    assert len(resolve_overlaps(spans, "Ann,Lee")) == 2


def test_terms_are_words_and_patterns_are_linear() -> None:
    terms = AdHocRecognizer("T", terms=("ann", "ann lee"))
    assert [
        (s.start, s.end) for s in find_ad_hoc([terms], "Anna, ANN LEE; ann_x, \u00e9ann, ann")
    ] == [
        (6, 13),
        (28, 31),
    ]
    slow = AdHocRecognizer("P", patterns=((r"(a+)+$", 0.5),))
    assert find_ad_hoc([slow], "a" * 50_000 + "b") == []


def test_a_short_request_makes_no_long_reply() -> None:
    spans = [EntitySpan(2 * place, 2 * place + 1, f"E{place % 2}", 1.0) for place in range(100)]
    operators = {"DEFAULT": ReplaceEntity("x" * 100)}
    assert len(replace_entities("a " * 100, spans, operators, 10_200).text) == 10_100
    with pytest.raises(ReplacedTextTooLong):
        replace_entities("a " * 100, spans, operators, 10_000)
    every = AdHocRecognizer("X", patterns=((".", 1.0),))
    assert len(find_ad_hoc([every], "a" * MOST_FOUND)) == MOST_FOUND
    with pytest.raises(TooManyFound):
        find_ad_hoc([every, every], "a" * (MOST_FOUND // 2 + 1))
