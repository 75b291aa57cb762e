"""The shadow of a note: what a reader sees of it, with the place of every character in the note.

Invisible characters, look-alike letters and words broken over two lines hide identifiers from
pattern and model alike (Boucher et al., Bad Characters, IEEE S&P 2022), so detection reads both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import re2
from numpy.typing import NDArray

from deidstream.models.text.characters import is_invisible, plain_form, read_look_alikes
from deidstream.schemas.span import Span

_HYPHENED = re2.compile(r"\p{L}(-[ \t]{0,8}\r?\n[ \t]{0,16})[\p{Ll}\p{Lo}]")
_SOFT = "\u00ad\u2010\u2011"
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u02d7")
_LONG = "\u2014\u2015"
_TIMES = "\u00d7"
_SIGNS = _DASHES | {_TIMES}
_NEAR = 32
"""Characters after a soft hyphen within which its word goes on."""
_UNSEEN_CONTROL = re2.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text made from another: ``text[k]`` stands for ``sources[k]``, ``[start, end)``, of it."""

    text: str = field(repr=False)
    sources: NDArray[np.int64] = field(repr=False)
    """Shape ``(len(text), 2)``; starts and ends ascend."""

    def to_note(self, spans: Iterable[Span]) -> list[Span]:
        """Put spans found here at their places in the note, in the same order."""
        placed: list[Span] = []
        for span in spans:
            start, end = self.origin(span.start, span.end)
            placed.append(replace(span, start=start, end=end))
        return placed

    def from_note(self, spans: Iterable[Span]) -> list[Span]:
        """Put spans of the note at their places here; those of which nothing shows are left out."""
        placed: list[Span] = []
        for span in spans:
            start, end = self.image(span.start, span.end)
            if start < end:
                placed.append(replace(span, start=start, end=end))
        return placed

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Map the non-empty ``[start, end)`` back, with everything invisible inside and after."""
        return int(self.sources[start, 0]), int(self.sources[end - 1, 1])

    def image(self, start: int, end: int) -> tuple[int, int]:
        """Map ``[start, end)`` of the original here; empty when nothing of it shows."""
        first = np.searchsorted(self.sources[:, 1], start, side="right")
        last = np.searchsorted(self.sources[:, 0], end, side="left")
        return int(first), int(last)


def plain_text_of(text: str) -> PlainText:
    """Return the plain form of a text; equal to it for nearly every note.

    Invisible characters and marks are gone; white space, digits, styled and full-width letters are
    ASCII; letters of other scripts are what they look like where they stand in a Latin word or a
    number; dashes inside a word or number are hyphens; a word hyphenated over two lines is whole.
    Other line breaks stay. Linear in the length of ``text``.
    """
    if text.isascii() and not _UNSEEN_CONTROL.search(text):
        return _joined(identity(text))
    shadow = _joined(_shown(text))
    read = _with_dashes(read_look_alikes(shadow.text, sparing=True))
    return identity(text) if read == text else replace(shadow, text=read)


def identity(text: str) -> PlainText:
    """Return the shadow that is the text itself."""
    places = np.arange(len(text))
    return PlainText(text, np.stack((places, places + 1), axis=1))


def _shown(text: str) -> PlainText:
    """Write every character plainly."""
    hyphened = _with_hyphens(text)
    forms = hyphened.translate(_TABLE)
    if forms == text:
        return identity(text)
    return PlainText(forms, _places(hyphened, len(forms)))


def _with_hyphens(text: str) -> str:
    """Turn the soft or odd hyphen of a word that goes on in the next line into a plain one."""
    if not any(c in text for c in _SOFT):
        return text
    letters = list(text)
    last = ""
    for place, c in enumerate(text):
        if c in _SOFT and last.isalpha() and _goes_on(text, place + 1):
            letters[place] = "-"
        last = last if is_invisible(letters[place]) else letters[place]
    return "".join(letters)


def _goes_on(text: str, start: int) -> bool:
    """Tell whether the line ends here and the next begins with a letter."""
    near = text[start : start + _NEAR]
    rest = "".join(c for c in near if not is_invisible(c)).lstrip(" \t\r")
    return rest[:1] == "\n" and rest[1:].lstrip(" \t")[:1].isalpha()


def _with_dashes(text: str) -> str:
    """Turn dashes inside words and numbers into hyphens, and a times sign between letters into x.

    A long dash is one only between figures.
    """
    if _SIGNS.isdisjoint(text):
        return text
    letters = list(text)
    for place, c in enumerate(text):
        if c in _SIGNS:
            letters[place] = _sign(text[place - 1 : place], c, text[place + 1 : place + 2])
    return "".join(letters)


def _sign(before: str, c: str, after: str) -> str:
    if c == _TIMES:
        return "x" if before.isalpha() and after.isalpha() else c
    inside = (before.isalnum() or before == ")") and after.isalnum()
    return "-" if inside and (c not in _LONG or (before + after).isdecimal()) else c


def _places(text: str, length: int) -> NDArray[np.int64]:
    """Say of each shown character where it comes from; what is unseen belongs to the one before."""
    counts = np.fromiter((len(plain_form(c)) for c in text), np.int64, len(text))
    starts = np.repeat(np.arange(len(text)), counts)
    following = np.append(starts[1:], len(text)) if length else starts
    return np.stack((starts, np.maximum(starts + 1, following)), axis=1)


def _joined(shadow: PlainText) -> PlainText:
    """Put words together that were hyphenated over two lines."""
    breaks = list(_hyphenations(shadow.text))
    if not breaks:
        return shadow
    edges = [0, *(edge for both in breaks for edge in both), len(shadow.text)]
    kept = [slice(*edge) for edge in list(pairwise(edges))[::2]]
    text = "".join(shadow.text[piece] for piece in kept)
    return PlainText(text, np.concatenate([shadow.sources[piece] for piece in kept]))


def _hyphenations(text: str) -> Iterator[tuple[int, int]]:
    if "-" in text and "\n" in text:
        for match in _HYPHENED.finditer(text):
            yield match.span(1)


class _Plain:
    """The table ``str.translate`` asks, one character at a time."""

    __slots__ = ()

    def __getitem__(self, code: int) -> str:
        return plain_form(chr(code))


_TABLE = _Plain()
