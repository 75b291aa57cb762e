"""Read the entities of HTML and XML in a text as the characters that they are, and write them.

Source: HTML Living Standard, section 13.5; the semicolon at the end is required here.
"""

import re
from collections.abc import Iterator, Mapping
from html.entities import html5
from types import MappingProxyType
from typing import NamedTuple

_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
_SURROGATES = range(0xD800, 0xE000)
MARKUP: Mapping[str, str] = MappingProxyType({"&": "&amp;", "<": "&lt;"})
"""The signs that mean something wherever there are entities."""


class Entity(NamedTuple):
    """An entity at ``[start, end)`` of a text."""

    start: int
    end: int
    meant: str
    """One or two characters."""


def find_entities(text: str) -> Iterator[Entity]:
    """Yield the entities of a text, in order; what has no meaning is text as it stands."""
    for found in _ENTITY.finditer(text) if "&" in text else ():
        decimal, hexadecimal, name = found.groups()
        if name:
            meant = html5.get(f"{name};", "")
        else:
            meant = _read_code(int(decimal) if decimal else int(hexadecimal, 16))
        if meant:
            yield Entity(*found.span(), meant)


def _read_code(code: int) -> str:
    """Return the character of a number; nothing for one that text cannot have."""
    return chr(code) if 0 < code <= 0x10FFFF and code not in _SURROGATES else ""  # noqa: PLR2004


def read_spellings(text: str) -> dict[str, str]:
    """Return how a text writes the signs and letters that it writes as entities.

    A blank is left out, and what needs no entity in any text.
    """
    spellings: dict[str, str] = {}
    for entity in find_entities(text):
        plain = entity.meant.isspace() or (entity.meant.isascii() and entity.meant.isalnum())
        if len(entity.meant) == 1 and not plain:
            spellings.setdefault(entity.meant, text[entity.start : entity.end])
    return spellings


def write_entities(text: str, spellings: Mapping[str, str]) -> str:
    """Return a text with the entities of ``spellings`` in the place of their characters."""
    return text.translate({ord(c): spelling for c, spelling in spellings.items()})
