"""Draw names of places from elements: ``Alderwick``, ``Port Alder``, ``St. Theodore``, ``7B``."""

from collections.abc import Iterable, Mapping
from functools import cache

from deidstream.models.keyring import Draw
from deidstream.models.phi.codes.draw_code import draw_code
from deidstream.models.phi.places.cities import cities
from deidstream.models.text.runs import runs
from deidstream.models.text.word_files import sections, split_list

_LONGEST_WORD = 10
_TOWN_ENDINGS = split_list("ville boro burg port haven mouth minster thorpe bridge church")
_TRIES = 64
_TELLING = 4
"""Letters from which on a word within another gives it away."""
_TOWN_HEADS = split_list("Port Mount Fort Upper Lower Little Great Old")
"""No other composed name begins so: no surrogate of an institution holds that of a town."""


@cache
def terrain() -> Mapping[str, int]:
    """Return the words of the landscape, each with its rank among those of its initial."""
    found: dict[str, list[str]] = {}
    for word in sections("places.words.txt")["terrain"]:
        found.setdefault(word[0], []).append(word)
    return {word: rank for words in found.values() for rank, word in enumerate(words)}


@cache
def _features(first: str) -> tuple[str, ...]:
    features = sections("places.words.txt")["features"]
    return tuple(word for word in features if word[0].casefold() == first)


@cache
def _names(count: int, first: str = "") -> tuple[str, ...]:
    """Return composed names of one word or of two, with a given initial or any."""
    elements = sections("places.words.txt")
    if count == 1:
        stems, endings = elements["stems"], elements["endings"]
        words = (stem + end for stem in stems for end in endings if stem.casefold() != end)
        short = (word for word in words if len(word) <= _LONGEST_WORD)
        return _unheard(word for word in short if word[0].casefold().startswith(first))
    return _unheard(f"{stem} {end}" for stem in elements["stems"] for end in elements["features"])


@cache
def _towns(count: int) -> tuple[str, ...]:
    """Return composed names of towns."""
    stems = sections("places.words.txt")["stems"]
    if count == 1:
        return _unheard(stem + end for stem in stems for end in _TOWN_ENDINGS)
    return _unheard(f"{head} {stem}" for stem in stems for head in _TOWN_HEADS)


def _unheard(composed: Iterable[str]) -> tuple[str, ...]:
    """Leave out names that are, or hold, that of a city: it may be an original or a surrogate."""
    known = cities().names
    return tuple(c for c in composed if known.isdisjoint((*c.casefold().split(), c.casefold())))


def draw_proper(value: str, draw: Draw, first: str = "") -> str:
    """Draw a proper name of one word, or of two for two and more, none of them in ``value``.

    Args:
        value: Normal form of the original.
        draw: Its own.
        first: Initial of the one word, in lower case; empty: any.
    """
    words = value.replace("-", " ").split()
    return pick_unlike(_names(2) if len(words) > 1 else _names(1, first), value, draw)


def draw_feature(value: str, first: str, turn: int) -> str:
    """Take another word of the landscape; words of one initial get different ones.

    Args:
        value: Normal form of the original.
        first: Initial of the new word, in lower case.
        turn: A number of the scope, for the initial.
    """
    pool = _features(first)
    return pool[(terrain()[value] + turn) % len(pool)]


def draw_town(value: str, draw: Draw) -> str:
    """Draw a composed name of a town that no gazetteer has."""
    return pick_unlike(_towns(min(len(value.replace("-", " ").split()), 2)), value, draw)


def draw_saint(value: str, draw: Draw) -> str:
    """Draw another saint."""
    return pick_unlike(sections("places.words.txt")["saints"], value, draw)


def draw_unit(value: str, draw: Draw) -> str:
    """Draw a number or letter of the same shape; a number keeps a first digit that is not 0."""
    parts = runs("".join(filter(str.isalnum, value)))
    drawn = "".join(draw_code(part.text, draw) for part in parts)
    if drawn[0] != "0" or value[0] == "0":
        return drawn
    fixed = str(1 + draw.below(9)) + drawn[1:]
    return fixed if fixed != value else ("1" if value[0] == "9" else "9") + drawn[1:]


def pick_unlike(options: tuple[str, ...], value: str, draw: Draw) -> str:
    """Draw an option that shares no word with ``value``, which is in normal form.

    A word within another counts: ``Kestrelden`` is no stand-in for ``Kestrel``.

    Raises:
        ValueError: Hardly any option is so.
    """
    taken = set(value.replace("-", " ").split())
    for _ in range(_TRIES):
        drawn = draw.pick(options)
        if not any(_gives_away(word, taken) for word in drawn.casefold().replace("-", " ").split()):
            return drawn
    left = [option for option in options if option.casefold() != value]
    return draw.pick(left)


def _gives_away(word: str, taken: set[str]) -> bool:
    long = (other for other in taken if min(len(word), len(other)) >= _TELLING)
    return word in taken or any(word in other or other in word for other in long)
