"""Load the gazetteers: lists of names and places, as marked keys with their kinds."""

from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.folding import EDGE
from deidstream.models.text.word_files import cut_groups, read_data

GAZETTEERS = "gazetteers.txt"
"""The file; ``study.lists.make_gazetteers`` makes it from its sources."""
WRITTEN_EDGE = "|"
"""Stands for ``EDGE`` in the file."""


class Kind(IntEnum):
    """Kinds of a term of the gazetteers; a term often has several, as one number.

    Not an ``IntFlag``, which makes a member for every ``&``: a note takes hundreds.
    """

    GIVEN = 1
    SURNAME = 2
    CITY = 4
    LARGE_CITY = 8
    STATE = 16
    STATE_CODE = 32
    COUNTRY = 64


@lru_cache(maxsize=1)
def gazetteers() -> Mapping[str, int]:
    """Return every term, folded and with its word edges marked, and its ``Kind`` as a number.

    The terms are in the file as they are searched: to fold a hundred thousand takes a second.
    """
    found: dict[str, int] = {}
    for heading, terms in cut_groups(read_data(GAZETTEERS).replace(WRITTEN_EDGE, EDGE)):
        found |= dict.fromkeys(terms, _read_kinds(heading))
    return MappingProxyType(found)


def _read_kinds(heading: str) -> int:
    kinds = 0
    for name in heading.split():
        kinds |= Kind[name]
    return kinds
