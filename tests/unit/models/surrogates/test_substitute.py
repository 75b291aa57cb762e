"""The kernel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.surrogates.substitute import substitute
from deidstream.schemas.errors import InvalidSpan
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span


def replacement(start: int, end: int, text: str) -> Replacement:
    return Replacement(Span(start, end, PhiLabel.PATIENT), text, "test")


def test_an_overlap_is_refused() -> None:
    with pytest.raises(InvalidSpan):
        substitute("abcdef", [replacement(0, 3, "x"), replacement(2, 4, "y")])


def test_a_span_that_leaves_the_text_is_refused() -> None:
    with pytest.raises(InvalidSpan):
        substitute("abc", [replacement(2, 4, "x")])


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Replacement]]:
    text = draw(st.text(max_size=60))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=10)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return text, [replacement(a, b, draw(st.text(max_size=5))) for a, b in pairs]


@given(cases())
def test_text_outside_spans_survives_and_replacements_are_where_they_are_said_to_be(
    case: tuple[str, list[Replacement]],
) -> None:
    text, replacements = case
    made, landed = substitute(text, replacements)
    assert [made[r.out_start : r.out_end] for r in landed] == [r.text for r in replacements]
    for r in reversed(landed):
        made = made[: r.out_start] + text[r.span.start : r.span.end] + made[r.out_end :]
    assert made == text
