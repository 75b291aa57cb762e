"""Tokens of a text with tags: B- begins an entity of a label, I- is inside one, O is outside."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

OUTSIDE: Final = "O"
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
"""A run of letters, a run of digits, or one sign."""


@dataclass(frozen=True, slots=True)
class Token:
    """``[start, end)`` of a text."""

    start: int
    end: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """Tokens ``[first, last]`` of one label."""

    first: int
    last: int
    label: str


def cut_tokens(text: str) -> list[Token]:
    """Cut a text into tokens.

    >>> [token.text for token in cut_tokens("Seen 03/04 by J.Doe")]
    ['Seen', '03', '/', '04', 'by', 'J', '.', 'Doe']
    """
    return [Token(*found.span(), found.group()) for found in _TOKEN.finditer(text)]


def read_entities(tags: Sequence[str]) -> frozenset[Entity]:
    """Read the entities of a sequence of tags.

    An I- that does not go on from a tag of its label begins an entity, as in CoNLL's scorer.

    >>> sorted(read_entities(["B-AGE", "I-AGE", "O", "I-DATE"]))
    [Entity(first=0, last=1, label='AGE'), Entity(first=3, last=3, label='DATE')]
    """
    found = set[Entity]()
    first, label = 0, ""
    for place, tag in enumerate([*tags, OUTSIDE]):
        sign, _, name = tag.partition("-")
        if label and (sign != "I" or name != label):
            found.add(Entity(first, place - 1, label))
            label = ""
        if name and not label:
            first, label = place, name
    return frozenset(found)
