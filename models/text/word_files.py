"""The package's own word lists."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from deidstream.models.keyring import Draw


def listed(text: str) -> tuple[str, ...]:
    """Cut a list that stands in the source as one string."""
    return tuple(text.split())


@cache
def lines(file: str) -> tuple[str, ...]:
    """Lines of a list, comments left out."""
    text = files("deidstream.models").joinpath("data", file).read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def word_set(file: str) -> frozenset[str]:
    """All words of a list."""
    return frozenset(word for line in lines(file) for word in line.split())


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """Words of a list by the heading, such as ``[stems]``, under which they stand."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in lines(file):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found.setdefault(heading, []).extend(line.split())
    return MappingProxyType({name: tuple(words) for name, words in found.items()})


_TRIES = 64
_TELLING = 4
"""Letters from which on a word within another tells it."""


def pick_apart(options: tuple[str, ...], value: str, draw: Draw) -> str:
    """Draw an option that shares no word with ``value``, which is in normal form.

    A word within another counts: ``Kestrelden`` is no stand-in for ``Kestrel``.

    Raises:
        ValueError: Hardly any option is so.
    """
    taken = set(value.replace("-", " ").split())
    for _ in range(_TRIES):
        drawn = draw.pick(options)
        if not any(_tells(word, taken) for word in drawn.casefold().replace("-", " ").split()):
            return drawn
    left = [option for option in options if option.casefold() != value]
    return draw.pick(left)


def _tells(word: str, taken: set[str]) -> bool:
    long = (other for other in taken if min(len(word), len(other)) >= _TELLING)
    return word in taken or any(word in other or other in word for other in long)
