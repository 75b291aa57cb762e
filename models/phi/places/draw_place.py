"""Draw words of the landscape, numbers of houses, and options unlike their original."""

from collections.abc import Mapping
from functools import cache
from itertools import chain

from deidstream.models.keyring import Draw
from deidstream.models.phi.codes.draw_code import draw_code
from deidstream.models.phi.names.initials import DIGITS, pick_by_share
from deidstream.models.phi.names.name_pools import NamePool
from deidstream.models.phi.places.place_pools import class_pool, gives_away
from deidstream.models.text.runs import runs
from deidstream.models.text.word_files import sections

_TRIES = 64
_FIRST, _MIDDLE, _LAST, _ALONE = (
    dict(zip(DIGITS, shares, strict=True))
    for shares in (
        (0, 30, 17, 13, 10, 8, 7, 6, 5, 4),
        (28, 14, 12, 9, 8, 9, 6, 5, 5, 4),
        (0, 20, 11, 10, 9, 16, 9, 9, 8, 8),
        (0, 16, 16, 14, 13, 11, 10, 8, 7, 5),
    )
)
"""In a hundred, how many numbers of houses begin so (Benford's law), have this digit between, end
so where not in 0, or are this digit alone."""


@cache
def terrain() -> Mapping[str, int]:
    """Return the words of the landscape, each with its rank among those of its initial."""
    found: dict[str, list[str]] = {}
    for word in sections("places.words.txt")["terrain"]:
        found.setdefault(word[0], []).append(word)
    return {word: rank for words in found.values() for rank, word in enumerate(words)}


def draw_feature(value: str, first: str, shared: Draw, probe: int) -> str:
    """Take another word of the landscape; words of one initial get different ones.

    Where too few words have the wanted initial, the last ones get one with any initial.

    Args:
        value: Normal form of the original.
        first: Initial of the new word, in lower case.
        shared: Of the scope and the initial.
        probe: How many draws are passed over.
    """
    pools = feature_pools(first)
    place = (terrain()[value] + probe) % len(pools[-1].names)
    found = dict[str, None]()
    for word in chain.from_iterable(pool.draw_all(shared) for pool in pools):
        found[word] = None
        if len(found) > place:
            break
    return next(reversed(found))


def feature_pools(first: str) -> tuple[NamePool, NamePool]:
    """Return the words of the landscape with an initial, then all of them."""
    return class_pool("features", first), class_pool("features")


def draw_unit(value: str, draw: Draw) -> str:
    """Draw a number or letter of the same shape.

    Digits are as frequent as in numbers of houses. A number keeps a first digit that is not 0, and
    the zeros at its end: hundreds stay hundreds.
    """
    parts = runs("".join(filter(str.isalnum, value)))
    drawn = "".join(_draw_run(part.text, draw) for part in parts)
    return drawn if drawn != value else _change_first(drawn)


def _draw_run(text: str, draw: Draw) -> str:
    if not (text.isascii() and text.isdigit()) or text[0] == "0":
        return draw_code(text, draw)
    body = text.rstrip("0")
    zeros = text[len(body) :]
    if len(body) == 1:
        return pick_by_share(draw, _ALONE, but=body) + zeros
    first, last = pick_by_share(draw, _FIRST), pick_by_share(draw, _LAST)
    return first + "".join(pick_by_share(draw, _MIDDLE) for _ in body[1:-1]) + last + zeros


def _change_first(drawn: str) -> str:
    return ("1" if drawn[0] == "9" else "9") + drawn[1:]


def pick_unlike(options: tuple[str, ...], value: str, draw: Draw) -> str:
    """Draw an option that shares no word with ``value``, which is in normal form.

    A word within another counts: ``Kestrelden`` is no stand-in for ``Kestrel``.

    Raises:
        ValueError: Hardly any option is so.
    """
    taken = set(value.replace("-", " ").split())
    for _ in range(_TRIES):
        drawn = draw.pick(options)
        if not gives_away(drawn, taken):
            return drawn
    left = [option for option in options if option.casefold() != value]
    return draw.pick(left)
