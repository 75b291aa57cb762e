"""Gather what a whole note tells of how many identifiers were overlooked in it.

More is overlooked in notes unlike those that the models learnt from. What tells such a note: much
of which detection is unsure, doubt about what it left, and words as a scanner misreads or a speaker
dictates them.
"""

import math
import re
from dataclasses import dataclass
from typing import Final

from deidstream.models.phi.codes.spoken_codes import DIGIT_WORDS, PAIR_WORDS
from deidstream.models.phi.spelled_numbers import TIMES_WORDS
from deidstream.models.records import Detected
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import is_direct

SURE: Final = 0.98
"""Probability from which detection is sure of a span."""
_SHARE_OF: Final = 1_000
"""Words to which shares of a note are stated."""
_WORD = re.compile(r"[^\W_]+")
_TORN = re.compile(r"[^\W\d_]+\d+[^\W\d_]|\d+[^\W\d_]+\d")
_NUMBER_WORDS: Final = DIGIT_WORDS.keys() | PAIR_WORDS.keys() | TIMES_WORDS.keys()


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """What a whole note tells of how many identifiers were overlooked in it."""

    mentions: int
    """Direct identifiers that were found."""
    unsure: int
    """Spans that detection is not sure of."""
    doubt: float
    """Entropy of what the recognizers hold for possible and detection left, in nats per 1,000 words
    of the note."""
    torn: float
    """Words in 1,000 that change twice between letters and digits: misread by a scanner."""
    spoken: float
    """Words in 1,000 that are spelled-out numbers: dictated."""


def gather_evidence(detected: Detected) -> NoteEvidence:
    """Gather what a whole note tells of how many identifiers were overlooked in it."""
    words = _WORD.findall(detected.note.text)
    torn = spoken = 0
    for word in within_time(words):
        if word.isalpha():
            spoken += word.lower() in _NUMBER_WORDS
        elif not word.isdigit():
            torn += _TORN.match(word) is not None
    share = _SHARE_OF / max(1, len(words))
    return NoteEvidence(
        mentions=sum(is_direct(span.label) for span in detected.spans),
        unsure=sum(span.score < SURE for span in detected.spans),
        doubt=share * math.fsum(_entropy_of(doubt.score) for doubt in detected.doubts),
        torn=share * torn,
        spoken=share * spoken,
    )


def _entropy_of(chance: float) -> float:
    """Return the entropy of something that holds with a probability, in nats."""
    if not 0 < chance < 1:
        return 0.0
    return -chance * math.log(chance) - (1 - chance) * math.log1p(-chance)
