"""The profiles are points on one curve: stricter ones find no less."""

from itertools import pairwise

from deidstream.models.recognizers.profiles import BOUNDS
from deidstream.schemas.policy import Profile


def test_every_profile_has_bounds_and_a_stricter_one_asks_for_less() -> None:
    assert list(BOUNDS) == list(Profile)
    for strict, looser in pairwise(BOUNDS.values()):
        assert strict.lowest <= looser.lowest
        assert strict.highest <= looser.highest
        assert strict.beside <= looser.beside


def test_a_word_beside_another_never_needs_more() -> None:
    assert all(one.beside <= one.highest for one in BOUNDS.values())
