"""Stretches of a text that some places cover together."""

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.stretches import Stretches

_LENGTH = 30
_PLACES = st.tuples(st.integers(0, _LENGTH - 1), st.integers(1, 8)).map(
    lambda place: (place[0], min(_LENGTH, place[0] + place[1]))
)


@given(st.lists(_PLACES, max_size=6), _PLACES)
def test_the_characters_of_the_places_are_covered_and_no_others(
    places: list[tuple[int, int]], asked: tuple[int, int]
) -> None:
    stretches = Stretches.covered_by(places)
    covered = {at for place in places for at in range(*place)}
    assert covered == {at for at in range(_LENGTH) if stretches.holding(at)}
    inside = sorted(covered.intersection(range(*asked)))
    assert stretches.within(*asked) == ((inside[0], inside[-1] + 1) if inside else None)


def test_places_that_touch_are_one_stretch() -> None:
    stretches = Stretches.covered_by([(4, 6), (0, 2), (2, 4), (8, 9)])
    assert (stretches.starts, stretches.ends) == ([0, 8], [6, 9])
