"""The words and numbers of a text, to leave out terms that it cannot hold."""

import re
from dataclasses import dataclass, field

from deidstream.models.text.folding import fold, words_of

_NUMBER = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class SeenWords:
    """What a text holds, folded. A term with no part of it cannot occur in the text."""

    words: frozenset[str] = field(repr=False)
    """Runs of letters and digits."""
    numbers: frozenset[str] = field(repr=False)
    """Runs of digits, those within a word too."""

    @classmethod
    def of_text(cls, text: str) -> "SeenWords":
        """Gather the words of a text. Linear in its length."""
        folded = fold(text).text
        return cls(frozenset(folded.translate(_APART).split()), frozenset(_NUMBER.findall(folded)))

    def hold_a_word_of(self, text: str) -> bool:
        """Return whether the text may hold a part of another, initials left out."""
        words = words_of(text)
        longer = [word for word in words if len(word) > 1]
        return not self.words.isdisjoint(longer or words)


class _Apart:
    """A space for whatever is no letter or digit, as a table for ``str.translate``."""

    __slots__ = ()

    def __getitem__(self, code: int) -> str:
        c = chr(code)
        return c if c.isalnum() else " "


_APART = _Apart()
