"""Decide by the words beside a term of the place lists whether it is a place there."""

from collections.abc import Iterator, Mapping

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.models.phi.names.credentials import STATE_CODES
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.context import last_word
from deidstream.models.text.folding import fold_short
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_BACK, _AHEAD = 24, 12
_PLACES = Kind.CITY | Kind.LARGE_CITY | Kind.STATE | Kind.STATE_CODE | Kind.COUNTRY
_REGIONS = Kind.STATE | Kind.STATE_CODE | Kind.COUNTRY
_PERSON = Kind.GIVEN | Kind.SURNAME
_TOWARDS = frozenset(
    {"in", "from", "near", "to", "of", "at", "outside", "via", "across", "visiting"}
)
_MOVING = frozenset({"from", "near", "to", "via"})
_ARROWS = ("->", "\u2192")
_LONGEST_SMALL = 3
"""Letters of the longest word that a name of more words may hold in lower case: ``of``, ``del``."""
_ZIP = re2.compile(r"^[ ,]{1,3}[0-9]{5}\b|^[ ,]{1,3}[A-Z][0-9][A-Z] ?[0-9]")
_BETWEEN = frozenset({", ", ",", " ", ",\n"})


def find_places(text: str, kinds: Mapping[tuple[int, int], int]) -> Iterator[Span]:
    """Find cities, states and countries; ``kinds`` has the kinds of each term that was found.

    The name of a large city or a country is enough, unless it is also a word or a name of persons;
    in that case, and for any small city, a preposition must precede it or its state follow it. A
    city that is neither is one for certain where one goes to it or comes from it.
    """
    regions = {start: end for (start, end), kind in kinds.items() if kind & _REGIONS}
    for (start, end), kind in kinds.items():
        if kind & _PLACES and _is_written_as_name(text[start:end]):
            yield from _place(text, (start, end), kind, regions)


def _place(
    text: str, place: tuple[int, int], kind: int, regions: Mapping[int, int]
) -> Iterator[Span]:
    start, end = place
    follows = _region_after(text, end, regions)
    if kind & (Kind.CITY | Kind.LARGE_CITY) and follows is not None:
        yield Span(start, end, PhiLabel.CITY, 0.85, "dictionary:place.city-state")
        if not _is_credential(text, follows):
            label = PhiLabel.COUNTRY if _is_country(text, follows) else PhiLabel.STATE
            yield Span(*follows, label, 0.85, "dictionary:place.city-state")
    elif kind & Kind.STATE_CODE and text[start:end].isupper():
        plain = text[start:end].lower() in common_words()
        if not plain and _ZIP.search(text[end : end + _AHEAD]):
            yield Span(start, end, PhiLabel.STATE, 0.9, "dictionary:place.code")
    elif _is_gone_to(text, place, kind):
        yield Span(start, end, PhiLabel.CITY, 1.0, "dictionary:place.gone-to")
    elif score := _score_alone(text, place, kind):
        yield Span(start, end, _label(kind), score, "dictionary:place.name")


def _is_gone_to(text: str, place: tuple[int, int], kind: int) -> bool:
    start, end = place
    before = text[max(0, start - _BACK) : start]
    moving = last_word(before) in _MOVING or before.rstrip(" ").endswith(_ARROWS)
    city = kind & (Kind.CITY | Kind.LARGE_CITY) and not kind & (Kind.COUNTRY | Kind.STATE)
    sure = moving and city and not text[start:end].isupper()
    return bool(sure) and not _is_doubtful(text, place, kind)


def _is_doubtful(text: str, place: tuple[int, int], kind: int) -> bool:
    return bool(kind & _PERSON) or fold_short(text[slice(*place)]) in common_words()


def _score_alone(text: str, place: tuple[int, int], kind: int) -> float:
    led = last_word(text[max(0, place[0] - _BACK) : place[0]]) in _TOWARDS
    doubtful = _is_doubtful(text, place, kind)
    if kind & (Kind.COUNTRY | Kind.STATE | Kind.LARGE_CITY):
        return 0.0 if doubtful and not led else 0.75
    return 0.6 if kind & Kind.CITY and led and not doubtful else 0.0


def _region_after(text: str, end: int, regions: Mapping[int, int]) -> tuple[int, int] | None:
    for gap in _BETWEEN:
        start = end + len(gap)
        if text[end:start] == gap and start in regions:
            region = text[start : regions[start]]
            plain = "," not in gap and region.lower() in common_words()
            written = _is_written_as_name(region) and not plain
            return (start, regions[start]) if written else None
    return None


def _is_credential(text: str, place: tuple[int, int]) -> bool:
    code = text[slice(*place)] in STATE_CODES
    return code and not _ZIP.search(text[place[1] : place[1] + _AHEAD])


def _is_country(text: str, place: tuple[int, int]) -> bool:
    return len(text[slice(*place)]) > _LONGEST_SMALL


def _label(kind: int) -> PhiLabel:
    if kind & Kind.COUNTRY:
        return PhiLabel.COUNTRY
    return PhiLabel.STATE if kind & Kind.STATE else PhiLabel.CITY


def _is_written_as_name(text: str) -> bool:
    words = text.split()
    return text[0].isupper() and all(w[0].isupper() or len(w) <= _LONGEST_SMALL for w in words)
