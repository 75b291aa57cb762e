"""Cut a text into folded words that remember their place, and say how the text is cased."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from deidstream.models.text.folding import fold

_WORD = re.compile(r"[^\W_]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_AROUND = 60
_LOWER_SHARE, _UPPER_SHARE = 0.01, 0.6
"""Share of capitals among letters below which a text has none, and above which it is in them."""


class WrittenWord(NamedTuple):
    """A run of letters and digits: ``[start, end)`` of the text, and its folded form."""

    form: str
    start: int
    end: int

    def __repr__(self) -> str:
        """Show the place of the word, not the word."""
        return f"{type(self).__name__}({self.start}, {self.end})"


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text and its words."""

    text: str = field(repr=False)
    words: tuple[WrittenWord, ...] = field(repr=False)
    lower: bool
    """Whether it is in small letters throughout, so that a small letter says nothing."""

    @classmethod
    def of_text(cls, text: str) -> "WrittenText":
        """Cut a text. Linear in its length."""
        letters = sum(map(str.isalpha, text)) if len(text) < _AROUND else len(text) * 3 // 4
        capitals = sum(map(str.isupper, text))
        return cls(text, tuple(_cut_words(text)), capitals <= _LOWER_SHARE * letters)

    def written(self, index: int) -> str:
        """Return a word as it is written."""
        word = self.words[index]
        return self.text[word.start : word.end]

    def gap(self, index: int) -> str:
        """Return what is between a word and the next."""
        return self.text[self.words[index].end : self.words[index + 1].start]

    def is_upper(self, start: int, end: int) -> bool:
        """Return whether the text around a stretch is in capitals, so that one says little."""
        around = self.text[max(0, start - _AROUND) : start] + self.text[end : end + _AROUND]
        letters = [c for c in around if c.isalpha()]
        return sum(map(str.isupper, letters)) > _UPPER_SHARE * len(letters)


def _cut_words(text: str) -> list[WrittenWord]:
    if text.isascii() and not _CONTROL.search(text):
        small = text.lower()
        return [WrittenWord(m[0], m.start(), m.end()) for m in _WORD.finditer(small)]
    folded = fold(text)
    starts, ends = folded.starts.tolist(), folded.ends.tolist()
    return [
        WrittenWord(m[0], starts[m.start()], ends[m.end() - 1]) for m in _WORD.finditer(folded.text)
    ]
