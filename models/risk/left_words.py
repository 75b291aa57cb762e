"""What of a note's own words is still in its output, whatever the technique was."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from deidstream.models.records import Substituted, remaining
from deidstream.models.text.folding import words_of
from deidstream.schemas.time_budget import within_time

Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class LeftWords:
    """Folded words outside what was found, and outside what was written in its place.

    A neighbour's word that the note has too counts as left: it cannot be told whose it was.
    """

    own: Counter[str] = field(repr=False)
    """Those of the note."""
    written: Counter[str] = field(repr=False)
    """Those of the output."""
    kept: Counter[str] = field(init=False, repr=False)
    """The note's own words that are still there."""

    def __post_init__(self) -> None:
        """Count what note and output share."""
        object.__setattr__(self, "kept", self.own & self.written)

    @classmethod
    def of_output(cls, item: Substituted) -> Self:
        """Count the words of a note and of its output."""
        found = [(one.span.start, one.span.end) for one in item.replacements]
        replaced = [(one.out_start, one.out_end) for one in remaining(item.replacements)]
        note = item.planned.note.text
        return cls(Counter(_list_words(note, found)), Counter(_list_words(item.text, replaced)))

    @property
    def share(self) -> float:
        """Share of the note's own words that are still there; 1 where it has none."""
        return self.kept.total() / self.own.total() if self.own else 1.0

    def hold(self, text: str) -> bool:
        """Return whether every word of a text is still there."""
        return all(word in self.written for word in words_of(text))


def _list_words(text: str, ranges: Ranges) -> Iterator[str]:
    """Yield the words outside the ranges, which are in order."""
    begin = 0
    for start, end in within_time([*ranges, (len(text), len(text))]):
        if begin < start:
            yield from words_of(text[begin:start])
        begin = max(begin, end)
