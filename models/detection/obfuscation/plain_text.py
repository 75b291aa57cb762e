"""The plain text of a note: what a reader sees of it, and where each character comes from.

Invisible characters, look-alike letters and words broken over two lines hide identifiers from
pattern and model alike (Boucher et al., Bad Characters, IEEE S&P 2022), so detection reads both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import re2
from numpy.typing import NDArray

from deidstream.models.text.characters import (
    is_invisible,
    plain_form,
    read_look_alikes,
    separate_words,
)
from deidstream.schemas.span import Span

_HYPHENED = re2.compile(r"\p{L}(-[ \t]{0,8}\r?\n[ \t]{0,16})[\p{Ll}\p{Lo}]")
_LINE_HYPHENS = "\u00ad\u2010\u2011"
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u02d7")
_LONG_DASHES = "\u2014\u2015"
_TIMES = "\u00d7"
_SIGNS = _DASHES | {_TIMES}
_MOST_KEPT = 65_536
"""Characters whose plain form is kept."""
_NEAR = 32
"""Characters after a soft hyphen within which its word must continue."""
_UNSEEN_CONTROL = re2.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text made from a note: ``text[k]`` comes from ``[start, end) = sources[k]`` of the note."""

    text: str = field(repr=False)
    sources: NDArray[np.int64] = field(repr=False)
    """Shape ``(len(text), 2)``; starts and ends ascend."""

    def to_note(self, spans: Iterable[Span]) -> list[Span]:
        """Put spans found here at their places in the note, in the same order."""
        placed: list[Span] = []
        for span in spans:
            start, end = self.origin(span.start, span.end)
            placed.append(span.at(start, end))
        return placed

    def from_note(self, spans: Iterable[Span]) -> list[Span]:
        """Put spans of the note at their places here; invisible ones are left out."""
        placed: list[Span] = []
        for span in spans:
            start, end = self.image(span.start, span.end)
            if start < end:
                placed.append(span.at(start, end))
        return placed

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Map the non-empty ``[start, end)`` back, with everything invisible inside and after."""
        return int(self.sources[start, 0]), int(self.sources[end - 1, 1])

    def image(self, start: int, end: int) -> tuple[int, int]:
        """Map ``[start, end)`` of the original here; empty when nothing of it is visible."""
        first = np.searchsorted(self.sources[:, 1], start, side="right")
        last = np.searchsorted(self.sources[:, 0], end, side="left")
        return int(first), int(last)


def plain_text_of(text: str) -> PlainText:
    """Return the plain form of a text; equal to it for nearly every note.

    Invisible characters and marks are removed. White space, digits, styled and full-width letters
    become ASCII, letters of other scripts in a Latin word or a number what they look like, dashes
    inside a word or number hyphens. A word hyphenated over two lines is joined; other line breaks
    stay. Linear in the length of ``text``.
    """
    if text.isascii() and not _UNSEEN_CONTROL.search(text):
        return _join_hyphenated_words(keep_text(text))
    plain = _join_hyphenated_words(_write_plainly(separate_words(text)))
    read = _write_dashes(read_look_alikes(plain.text, sparing=True))
    return keep_text(text) if read == text else replace(plain, text=read)


def keep_text(text: str) -> PlainText:
    """Return the plain text that is the text itself."""
    places = np.arange(len(text))
    return PlainText(text, np.stack((places, places + 1), axis=1))


def _write_plainly(text: str) -> PlainText:
    """Write every character plainly."""
    hyphened = _write_line_hyphens(text)
    forms = hyphened.translate(_PLAIN_FORMS)
    if forms == text:
        return keep_text(text)
    return PlainText(forms, _find_sources(hyphened, len(forms)))


def _write_line_hyphens(text: str) -> str:
    """Write as ``-`` the soft or odd hyphen of a word that continues in the next line."""
    if not any(c in text for c in _LINE_HYPHENS):
        return text
    letters = list(text)
    last = ""
    for place, c in enumerate(text):
        if c in _LINE_HYPHENS and last.isalpha() and _ends_line_within_word(text, place + 1):
            letters[place] = "-"
        last = last if is_invisible(letters[place]) else letters[place]
    return "".join(letters)


def _ends_line_within_word(text: str, start: int) -> bool:
    """Return whether the line ends here and the next begins with a letter."""
    near = text[start : start + _NEAR]
    rest = "".join(c for c in near if not is_invisible(c)).lstrip(" \t\r")
    return rest[:1] == "\n" and rest[1:].lstrip(" \t")[:1].isalpha()


def _write_dashes(text: str) -> str:
    """Write dashes inside words and numbers as hyphens, and a times sign between letters as x.

    A long dash becomes a hyphen only between digits.
    """
    if _SIGNS.isdisjoint(text):
        return text
    letters = list(text)
    for place, c in enumerate(text):
        if c in _SIGNS:
            letters[place] = _plain_sign(text[place - 1 : place], c, text[place + 1 : place + 2])
    return "".join(letters)


def _plain_sign(before: str, c: str, after: str) -> str:
    if c == _TIMES:
        return "x" if before.isalpha() and after.isalpha() else c
    inside = (before.isalnum() or before == ")") and after.isalnum()
    return "-" if inside and (c not in _LONG_DASHES or (before + after).isdecimal()) else c


def _find_sources(text: str, length: int) -> NDArray[np.int64]:
    """Return where each visible character comes from; the invisible belongs to the one before."""
    counts = np.fromiter((len(plain_form(c)) for c in text), np.int64, len(text))
    starts = np.repeat(np.arange(len(text)), counts)
    following = np.append(starts[1:], len(text)) if length else starts
    return np.stack((starts, np.maximum(starts + 1, following)), axis=1)


def _join_hyphenated_words(plain: PlainText) -> PlainText:
    """Join words that were hyphenated over two lines."""
    breaks = list(_find_hyphenations(plain.text))
    if not breaks:
        return plain
    edges = [0, *(edge for both in breaks for edge in both), len(plain.text)]
    kept = [slice(*edge) for edge in list(pairwise(edges))[::2]]
    text = "".join(plain.text[piece] for piece in kept)
    return PlainText(text, np.concatenate([plain.sources[piece] for piece in kept]))


def _find_hyphenations(text: str) -> Iterator[tuple[int, int]]:
    if "-" in text and "\n" in text:
        for match in _HYPHENED.finditer(text):
            yield match.span(1)


class _PlainForms(dict[int, str]):
    """The plain form of each character, as a table for ``str.translate``."""

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        form = plain_form(chr(code))
        if len(self) < _MOST_KEPT:
            self[code] = form
        return form


_PLAIN_FORMS = _PlainForms()
