"""What of a note's own words is still in its output, whatever the technique was."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from deidstream.models.records import Substituted, remaining
from deidstream.models.text.folding import words_of
from deidstream.models.time_budget import within_time

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
        around = _cut_around(item.planned.note.text, found)
        left = _cut_around(item.text, replaced)
        own = _count_words(around)
        # Where nothing was rewritten, what is around the surrogates is what was around the found.
        return cls(own, own if left == around else _count_words(left))

    @property
    def share(self) -> float:
        """Share of the note's own words that are still there; 1 where it has none."""
        return self.kept.total() / self.own.total() if self.own else 1.0

    def hold(self, text: str) -> bool:
        """Return whether every word of a text is still there."""
        return all(word in self.written for word in words_of(text))


def _cut_around(text: str, ranges: Ranges) -> list[str]:
    """Return the stretches of a text outside the ranges, which are in order."""
    stretches: list[str] = []
    begin = 0
    for start, end in (*ranges, (len(text), len(text))):
        if begin < start:
            stretches.append(text[begin:start])
        begin = max(begin, end)
    return stretches


def _count_words(stretches: Iterable[str]) -> Counter[str]:
    counts = Counter[str]()
    for stretch in within_time(stretches):
        counts.update(words_of(stretch))
    return counts
