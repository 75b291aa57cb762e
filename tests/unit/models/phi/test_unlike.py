"""A surrogate that is too like its original, or that a reader stumbles over, is passed over."""

import pytest

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.names.identity import FAMILY, identify_name
from deidstream.models.phi.names.initials import ALPHABET, draw_letter_table
from deidstream.models.phi.names.name_pools import find_pools
from deidstream.models.phi.names.write_name import derive_name
from deidstream.models.phi.places.place_pools import draw_unlike, word_pools
from deidstream.models.phi.unlike import is_unfit, resembles

SCOPES = tuple(map(str, range(40)))


def _draws(scope: str, probe: int = 0) -> Draws:
    return Draws(Keyring(b"k" * 32, 1, "tenant"), scope, probe)


def _draw(scope: str) -> Draw:
    return _draws(scope).own(Identity("place.name", "original"))


@pytest.mark.parametrize(
    ("one", "other"),
    [("bate", "tate"), ("lobo", "villalobos"), ("crane", "cranes"), ("marlow", "marrlow")],
)
def test_one_letter_off_or_within_is_alike(one: str, other: str) -> None:
    assert resembles(one, other)
    assert resembles(other, one)


@pytest.mark.parametrize(("one", "other"), [("lee", "leeds"), ("kane", "tate"), ("ann", "anna")])
def test_short_words_and_two_letters_off_are_not(one: str, other: str) -> None:
    assert not resembles(one, other)


@pytest.mark.parametrize("name", ["hill", "mason", "hart", "carter", "bell", "villalobos"])
def test_no_name_is_drawn_that_is_one_letter_off(name: str) -> None:
    identity = identify_name(name)
    for scope in SCOPES:
        for probe in range(8):
            for form in derive_name(identity, _draws(scope, probe)).casefold().split():
                assert not resembles(form, name)


def test_no_unfit_name_is_drawn_though_the_pool_has_it() -> None:
    identity, draws = Identity(FAMILY, "sawyer"), _draws("7")
    first = draw_letter_table(draws)[ALPHABET.index("s")]
    order = tuple(find_pools("english", "family", first)[0].draw_all(draws.own(identity)))
    place = next(place for place, name in enumerate(order) if is_unfit(name))
    drawn = derive_name(identity, _draws("7", place)).casefold()
    assert drawn in order
    assert drawn != order[place]


@pytest.mark.parametrize("first", ["c", "t", "k"])
def test_no_place_is_called_by_an_unfit_word(first: str) -> None:
    drawn = {
        draw_unlike("kestrel", word_pools("kestrel", first), _draw("a"), probe)
        for probe in range(150)
    }
    assert not any(map(is_unfit, drawn))


def test_no_word_of_a_place_is_one_letter_off() -> None:
    drawn = {draw_unlike("marion", word_pools("marion", "m"), _draw(scope), 3) for scope in SCOPES}
    assert not any(resembles(word.casefold(), "marion") for word in drawn)
    assert len(drawn) > 1
