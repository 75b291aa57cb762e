"""Count the clinical content of labelled notes that detection takes for PHI, by kind.

A piece of content is a dose, a drug, a value n/n, a score, a day or week, a stage, a code, a
vertebra or a word of anatomy that no gold span touches. If a found span touches it, it is lost: as
a label it is destroyed, and as a surrogate it is falsified, for it reads like another fact. Pieces
are read by the patterns of this file and by lists of the package, not by the guard that detection
has (``models/detection/clinical``), so a fault of that guard shows here.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from deidstream.models.text.word_files import lines
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span

_UNITS = "mg|mcg|g|ml|mL|units?|mmol|mEq|meq|IU|puffs?|tabs?|tablets?"
_SCALES = (
    "GCS|MMSE|MoCA|PHQ-?9|GAD-?7|AUDIT|EPDS|NIHSS|Waterlow|Braden|Barthel|Apgars?|NYHA|ECOG|ASA"
    "|MELD"
)
_FORMS: Mapping[str, re.Pattern[str]] = {
    "doses": re.compile(rf"(?<![\w.,/-])\d+(?:[.,]\d+)?(?:/\d+(?:\.\d+)?)? ?(?:{_UNITS})\b"),
    "values n/n": re.compile(r"(?<![\w.,/-])\d{1,3} ?/ ?\d{1,3}(?![\w/]|\.\d|-\d| ?/ ?\d)"),
    "scores": re.compile(rf"\b(?:{_SCALES})[ :=]{{1,2}}\d{{1,3}}(?![\w/.-])"),
    "days and weeks": re.compile(
        r"\b(?:HD|POD|PPD|DOL) ?#?\d{1,2}(?![\w/])|(?<![\w./+])[1-4]\d\+[0-6](?![\w+])"
    ),
    "stages": re.compile(r"\b(?:[Ss]tage|[Gg]rade|NYHA|class) (?:\d|I{1,3}V?)[A-Ca-c]?\b"),
    "codes": re.compile(
        r"(?<![\w.])[A-TV-Z]\d\d\.\d[0-9A-Z]{0,3}\b|\b(?:CPT|NDC|LOINC|SNOMED)[ :]{1,2}[\d-]{5,18}"
    ),
    "vertebrae": re.compile(r"(?<![\w-])[CTLS]\d{1,2}[-/][CTLS]?\d{1,2}(?![\w/-])"),
}
_LISTS = {"drugs": "allow_drugs.txt", "anatomy": "allow_anatomy.txt"}
_SHORT = 3
"""Letters of a listed word that may as well be an abbreviation of something else."""


class Fate(StrEnum):
    """What becomes of a piece of content."""

    KEPT = "kept"
    FALSIFIED = "falsified"
    DESTROYED = "destroyed"


FateOf = Callable[[Span], Fate]
"""What a policy makes of content that a span touches."""


@dataclass(frozen=True, slots=True)
class ContentCounts:
    """Pieces of one kind, and what became of them."""

    pieces: int = 0
    falsified: int = 0
    """Replaced by a surrogate."""
    destroyed: int = 0
    """Replaced by a label."""

    @property
    def kept(self) -> int:
        """How many stay as they were."""
        return self.pieces - self.falsified - self.destroyed

    def plus(self, other: "ContentCounts") -> "ContentCounts":
        """Return the sum."""
        return ContentCounts(
            self.pieces + other.pieces,
            self.falsified + other.falsified,
            self.destroyed + other.destroyed,
        )


def count_content(
    note: LabelledNote, found: Sequence[Span], fate_of: FateOf
) -> dict[str, ContentCounts]:
    """Count the pieces of content of a note by kind, and those that a found span touches.

    Args:
        note: A note with its gold spans.
        found: What detection found in it.
        fate_of: What the policy makes of a span.
    """
    counts: dict[str, ContentCounts] = {}
    for kind, form in _read_forms().items():
        for piece in form.finditer(note.note.text):
            if any(_touches(span, piece) for span in note.spans):
                continue
            fates = {fate_of(span) for span in found if _touches(span, piece)}
            falsified = Fate.FALSIFIED in fates
            destroyed = Fate.DESTROYED in fates and not falsified
            one = ContentCounts(1, int(falsified), int(destroyed))
            counts[kind] = counts.get(kind, ContentCounts()).plus(one)
    return counts


@cache
def _read_forms() -> Mapping[str, re.Pattern[str]]:
    return {**_FORMS, **{kind: _list_words(file) for kind, file in _LISTS.items()}}


def _list_words(file: str) -> re.Pattern[str]:
    words = (word for word in lines(file) if word.isalpha() and len(word) > _SHORT)
    return re.compile(r"(?i)\b(?:" + "|".join(sorted(words)) + r")\b")


def _touches(span: Span, piece: re.Match[str]) -> bool:
    return span.start < piece.end() and piece.start() < span.end


def find_total(content: Mapping[str, ContentCounts]) -> ContentCounts:
    """Return the sum over all kinds."""
    total = ContentCounts()
    for one in content.values():
        total = total.plus(one)
    return total
