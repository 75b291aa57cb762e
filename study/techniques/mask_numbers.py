"""MNr: numbers become ``XX``, in digits and in words.

Source: Larbi, Burchardt and Roller, "Which anonymization technique is best for which NLP task? - It
depends", section 3, item 2. Which words are numbers the paper does not say: here the cardinal
numbers of English, alone or joined by hyphens; ``first`` and ``half`` stay.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deidstream.study.techniques.technique import Output, StudyNote

_CARDINAL: Final = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    "|hundred|thousand|million|billion"
)
_NUMBER: Final = re.compile(
    rf"\d+(?:[.,]\d+)*|\b(?:{_CARDINAL})(?:-(?:{_CARDINAL}))*\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class MaskNumbers:
    """Masks every number."""

    name: str = "MNr"
    family: str = "suppression"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with ``XX`` in the place of its numbers."""
        for number, note in enumerate(notes):
            yield Output(mask_numbers(note.text), number)


def mask_numbers(text: str) -> str:
    """Mask the numbers of a text.

    >>> mask_numbers("Two days ago: 81 mg twice, 1,200.5 mL, twenty-one doses.")
    'XX days ago: XX mg twice, XX mL, XX doses.'
    """
    return _NUMBER.sub("XX", text)
