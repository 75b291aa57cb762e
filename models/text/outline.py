"""The outline of a text: what sort of letter each character is, in ASCII.

Patterns of re know no classes of Unicode, and those of google-re2 cost several times as much.
"""

import unicodedata

MARK = "\x01"
"""Stands for a combining mark."""
_APOSTROPHES = "\u2019"
_MOST_KEPT = 65_536


def outline(text: str) -> str:
    """Replace each character beyond ASCII: by ``A`` a capital, by ``a`` any other letter.

    A combining mark becomes ``MARK``, a curved apostrophe a straight one, anything else a space. No
    place moves. ``MARK`` itself becomes a space.
    """
    return text if text.isascii() and MARK not in text else text.translate(_TABLE)


class _Outline(dict[int, str]):
    """The outline of each character, as a table for ``str.translate``."""

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        drawn = _draw(chr(code))
        if len(self) < _MOST_KEPT:
            self[code] = drawn
        return drawn


def _draw(character: str) -> str:
    if character.isascii():
        return " " if character == MARK else character
    if character in _APOSTROPHES:
        return "'"
    category = unicodedata.category(character)
    if category[0] == "M":
        return MARK
    if category[0] == "L":
        return "A" if category == "Lu" else "a"
    return " "


_TABLE = _Outline()
