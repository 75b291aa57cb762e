"""Tell what stands in an output in the place of each word of a note."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import re2

from deidstream.models.operators.redact import is_label
from deidstream.schemas.span import Replacement

_WORD = re2.compile(r"[\p{L}\p{M}]+(?:['\x{2019}`][\p{L}\p{M}]+)*|[0-9]+")
_POSSESSIVE = re2.compile(r"(?i)['\x{2019}`]s$")


class Writing(StrEnum):
    """What stands in the place of a word."""

    DRAWN = "drawn"
    """The word of a surrogate that stands in its place."""
    LABEL = "label"
    """The label of its span, as for one that may be no PHI."""
    LEFT = "left"
    """The word itself: nothing was found there."""
    MIXED = "mixed"
    """A surrogate of more or fewer words, of which none can be said to be its own."""


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word of a note, without a possessive, and what stands in its place."""

    start: int
    end: int
    text: str = field(repr=False)
    written: str = field(repr=False)
    """Empty unless it is left or drawn."""
    writing: Writing


def cut_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the place and text of each run of letters or of digits, without possessives.

    >>> [word for _, word in cut_words("O'Dea-Frost's, 2B")]
    ["O'Dea", 'Frost', '2', 'B']
    """
    for match in _WORD.finditer(text):
        yield match.start(), _POSSESSIVE.sub("", match[0])


def write_words(text: str, replacements: Sequence[Replacement]) -> tuple[WrittenWord, ...]:
    """Return the words of a note in order, each with what stands in its place.

    Args:
        text: The note.
        replacements: Disjoint, in order.
    """
    found: list[WrittenWord] = []
    place = 0
    for one in replacements:
        found += _leave_words(text, place, one.span.start)
        found += _replace_words(text, one)
        place = one.span.end
    return (*found, *_leave_words(text, place, len(text)))


def _leave_words(text: str, start: int, end: int) -> Iterator[WrittenWord]:
    for at, word in cut_words(text[start:end]):
        yield WrittenWord(start + at, start + at + len(word), word, word, Writing.LEFT)


def _replace_words(text: str, one: Replacement) -> Iterator[WrittenWord]:
    start = one.span.start
    words = list(cut_words(text[start : one.span.end]))
    drawn = [word for _, word in cut_words(one.text)]
    writing = Writing.DRAWN if len(drawn) == len(words) else Writing.MIXED
    if is_label(one.text, one.span):
        writing = Writing.LABEL
    for number, (at, word) in enumerate(words):
        written = drawn[number] if writing is Writing.DRAWN else ""
        yield WrittenWord(start + at, start + at + len(word), word, written, writing)
