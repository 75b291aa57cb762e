"""RaS: a share of the words, chosen at random, change places all over the note.

Source: Larbi et al., section 3, item 4, and appendix A.2. A word is a run without white space. The
words that are chosen move in one circle, so that none of them stays where it was.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deidstream.study.techniques.technique import Output, StudyNote

_WORD: Final = re.compile(r"\S+")
_FEWEST: Final = 2
"""Words that can change places."""


@dataclass(frozen=True, slots=True)
class SwapWords:
    """Swaps a share of the words of each note."""

    percent: int
    seed: int
    family: str = "perturbation"

    @property
    def name(self) -> str:
        """Its name and share."""
        return f"RaS {self.percent}"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with words swapped."""
        for number, note in enumerate(notes):
            rng = random.Random(f"{self.seed} {self.name} {number}")
            yield Output(swap_words(note.text, self.percent, rng), number)


def swap_words(text: str, percent: int, rng: random.Random) -> str:
    """Let a share of the words of a text, rounded, change places; white space stays."""
    places = [found.span() for found in _WORD.finditer(text)]
    chosen = rng.sample(range(len(places)), round(len(places) * percent / 100))
    words = [text[start:end] for start, end in places]
    if len(chosen) >= _FEWEST:
        moved = [words[place] for place in (*chosen[1:], chosen[0])]
        for place, word in zip(chosen, moved, strict=True):
            words[place] = word
    parts, at = list[str](), 0
    for (start, end), word in zip(places, words, strict=True):
        parts += [text[at:start], word]
        at = end
    return "".join([*parts, text[at:]])
