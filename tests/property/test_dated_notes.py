"""Every date of a generated note moves by the days of its patient, in the form that it had."""

import pytest
from dated_notes import DatedNote, forget_form, make_pair
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.operators.shift_date import ShiftDate
from deidstream.models.surrogates.mentions import mentions
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

MOVES = ShiftDate()


def move_dates(dated: DatedNote, days: int) -> list[str]:
    spans = [Span(start, end, PhiLabel.DATE) for start, end, _ in dated.places]
    return [
        MOVES.render(mention, dict.fromkeys(MOVES.identities(mention), f"{days:+d}"))
        for mention in mentions(dated.note, spans)
    ]


def expect_dates(dated: DatedNote, days: int) -> list[str]:
    return [planted.write(days) for _, _, planted in dated.places]


@given(st.integers(0, 10_000), st.integers(30, 365), st.sampled_from((1, -1)))
def test_intervals_weekdays_and_order_of_two_notes_stay(seed: int, days: int, sign: int) -> None:
    for dated in make_pair(seed):
        moved, expected = move_dates(dated, sign * days), expect_dates(dated, sign * days)
        assert list(map(forget_form, moved)) == list(map(forget_form, expected))


def test_a_date_that_moves_by_a_day_too_many_is_seen() -> None:
    dated, _ = make_pair(3)
    assert move_dates(dated, 40) != expect_dates(dated, 41)


@pytest.mark.parametrize("seed", range(3))
def test_two_notes_are_14_days_apart(seed: int) -> None:
    first, second = (dated.places[0][2].day for dated in make_pair(seed))
    assert (second - first).days == 14
