"""CnR: signs, diseases and drugs become another name of the same concept.

Source: Larbi et al., section 3, item 6, and appendix A.2: the name is drawn at random from all
names of the concept, the old one among them, so common names are favoured.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from deidstream.study.techniques.concepts import Concepts
from deidstream.study.techniques.letter_case import write_in_case
from deidstream.study.techniques.technique import Output, StudyNote

_WORD: Final = re.compile(r"[^\W_]+(?:['\-/][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class ReplaceConcepts:
    """Replaces the clinical concepts of each note by other names of theirs."""

    seed: int
    concepts: Concepts = field(repr=False)
    name: str = "CnR"
    family: str = "synonyms"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with other names of its concepts."""
        longest = max((len(name.split()) for name in self.concepts), default=0)
        for number, note in enumerate(notes):
            rng = random.Random(f"{self.seed} CnR {number}")
            yield Output(replace_concepts(note.text, self.concepts, longest, rng), number)


def replace_concepts(text: str, concepts: Concepts, longest: int, rng: random.Random) -> str:
    """Replace the concepts of a text by names drawn for them; the longest name counts.

    Args:
        text: A note.
        concepts: The names of each name's concept.
        longest: Words of the longest name.
        rng: Draws the names.
    """
    words = [found.span() for found in _WORD.finditer(text)]
    parts, at, place = list[str](), 0, 0
    while place < len(words):
        start = words[place][0]
        for last in range(min(place + longest, len(words)) - 1, place - 1, -1):
            end = words[last][1]
            names = concepts.get(" ".join(text[start:end].casefold().split()))
            if names:
                parts += [text[at:start], write_in_case(rng.choice(names), text[start:end])]
                at, place = end, last
                break
        place += 1
    return "".join([*parts, text[at:]])
