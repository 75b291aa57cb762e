"""Names made of a proper part and words that say what kind of thing it is: ``Lake Tillery``.

The kind stays, the proper part is replaced, numbers and unit letters change in their shape.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache

from deidstream.models.keyring import Draw, canonical
from deidstream.models.operators.codes import draw_code
from deidstream.models.operators.gazetteer import cities
from deidstream.models.operators.runs import glued, runs, safe_separators, words
from deidstream.models.operators.wordlists import listed, pick_apart, sections

_ACRONYM = 5
_SAINTLY = frozenset({"st", "saint", "ste", "st."})
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_TOWN_ENDINGS = listed("ville boro burg port haven mouth minster thorpe bridge church")
_TOWN_HEADS = listed("Port Mount Fort Upper Lower Little Great Old")
"""Of no other composed name, so that no surrogate of an institution holds that of a town."""


class Role(Enum):
    """What a piece of a phrase is."""

    SEPARATOR = auto()
    KEPT = auto()
    PROPER = auto()
    SAINT = auto()
    CODE = auto()
    ORDINAL = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a phrase, in order."""

    role: Role
    text: str = field(repr=False)
    value: str = field(repr=False, default="")
    """Normal form of what is replaced."""


def parse(text: str, kept: frozenset[str]) -> list[Piece]:
    """Cut a phrase; only words of ``kept`` stay.

    >>> [piece.role.name for piece in parse("Lake Van Tillery", frozenset({"lake"}))]
    ['KEPT', 'SEPARATOR', 'PROPER']
    """
    loose = not text.isupper() or len(text.split()) == 1
    pieces: list[Piece] = []
    for token in glued(words(text)):
        pieces += _pieces(token, kept, pieces, loose=loose)
    return _joined(pieces)


def _pieces(token: str, kept: frozenset[str], before: list[Piece], *, loose: bool) -> list[Piece]:
    value = canonical(token)
    if not any(map(str.isalnum, token)):
        return [Piece(Role.SEPARATOR, "".join(map(_separator, token)))]
    if value in kept or value.replace("'", "").replace("\u2019", "") in kept:
        return [Piece(Role.KEPT, token)]
    if not token.isalpha() and any(map(str.isnumeric, token)):
        return _numbered(token, value)
    if len(value) == 1 or (
        loose and token.isupper() and token.isascii() and len(token) <= _ACRONYM
    ):
        return [Piece(Role.CODE, token, value)]
    return _named(token, before)


def _separator(char: str) -> str:
    return char if char in "+|" else safe_separators(char)


def _numbered(token: str, value: str) -> list[Piece]:
    if value[-2:] in _ORDINAL and value[:-2].isdigit():
        return [Piece(Role.ORDINAL, token, value[:-2])]
    return [Piece(Role.CODE, token, value)]


def _named(token: str, before: list[Piece]) -> list[Piece]:
    body, tail = token, ""
    if len(token) > 3 and token[-1] in "sS" and token[-2] in "'\u2019":  # noqa: PLR2004
        body, tail = token[:-2], token[-2:]
    joined = len(before) > 1 and set(before[-1].text) <= set(". ")
    saintly = joined and canonical(before[-2].text) in _SAINTLY
    pieces = [Piece(Role.SAINT if saintly else Role.PROPER, body, canonical(body))]
    return [*pieces, Piece(Role.KEPT, tail)] if tail else pieces


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Join proper words that only a space or hyphen parts."""
    groups: list[list[Piece]] = []
    for place, piece in enumerate(pieces):
        if groups and _continues(pieces, place):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [_one(group) for group in groups]


def _continues(pieces: list[Piece], place: int) -> bool:
    """Tell whether a piece, or the gap before it, belongs to the proper name before."""
    if pieces[place].role is Role.PROPER:
        return place > 1 and _is_gap(pieces, place - 1)
    return _is_gap(pieces, place)


def _is_gap(pieces: list[Piece], place: int) -> bool:
    inside = 0 < place < len(pieces) - 1 and set(pieces[place].text) <= set(" -\n\t\r")
    return inside and pieces[place - 1].role is pieces[place + 1].role is Role.PROPER


def _one(group: list[Piece]) -> Piece:
    if len(group) == 1:
        return group[0]
    text = "".join(piece.text for piece in group)
    return Piece(Role.PROPER, text, canonical(text))


@cache
def _names(count: int) -> tuple[str, ...]:
    """Composed names of one word or of two."""
    elements = sections("places.words.txt")
    if count == 1:
        return _unheard(stem + end for stem in elements["stems"] for end in elements["endings"])
    return _unheard(f"{stem} {end}" for stem in elements["stems"] for end in elements["features"])


@cache
def _towns(count: int) -> tuple[str, ...]:
    """Composed names of towns."""
    stems = sections("places.words.txt")["stems"]
    if count == 1:
        return _unheard(stem + end for stem in stems for end in _TOWN_ENDINGS)
    return _unheard(f"{head} {stem}" for stem in stems for head in _TOWN_HEADS)


def _unheard(composed: Iterable[str]) -> tuple[str, ...]:
    """Leave out names that are, or hold, that of a city: it may be a patient's, or stand for it."""
    known = cities().names
    return tuple(c for c in composed if known.isdisjoint((*c.casefold().split(), c.casefold())))


def draw_proper(value: str, draw: Draw) -> str:
    """Draw a proper name of one word, or of two for two and more, none of them in ``value``."""
    return pick_apart(_names(min(len(value.replace("-", " ").split()), 2)), value, draw)


def draw_town(value: str, draw: Draw) -> str:
    """Draw a composed name of a town that no gazetteer has."""
    return pick_apart(_towns(min(len(value.replace("-", " ").split()), 2)), value, draw)


def draw_saint(value: str, draw: Draw) -> str:
    """Draw another saint."""
    return pick_apart(sections("places.words.txt")["saints"], value, draw)


def draw_unit(value: str, draw: Draw) -> str:
    """Draw a number or letter of the same shape; a number keeps a first digit that is not 0."""
    parts = runs("".join(filter(str.isalnum, value)))
    drawn = "".join(draw_code(part.text, draw) for part in parts)
    if drawn[0] != "0" or value[0] == "0":
        return drawn
    fixed = str(1 + draw.below(9)) + drawn[1:]
    return fixed if fixed != value else ("1" if value[0] == "9" else "9") + drawn[1:]
