"""Gather what a whole note tells of how many identifiers were overlooked in it.

More is overlooked in notes unlike those that the models learnt from. What tells such a note: much
of which detection is unsure, and words as a scanner misreads them.
"""

import re
from dataclasses import dataclass
from typing import Final

from deidstream.models.records import Detected
from deidstream.models.time_budget import within_time

SURE: Final = 0.98
"""Probability from which detection is sure of a span."""
_SHARE_OF: Final = 1_000
"""Words to which shares of a note are stated."""
_WORD = re.compile(r"[^\W_]+")
_TORN = re.compile(r"[^\W\d_]+\d+[^\W\d_]|\d+[^\W\d_]+\d")


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """What a whole note tells of how many identifiers were overlooked in it."""

    unsure: int
    """Spans that detection is not sure of."""
    torn: float
    """Words in 1,000 that change twice between letters and digits: misread by a scanner."""


def gather_evidence(detected: Detected) -> NoteEvidence:
    """Gather what a whole note tells of how many identifiers were overlooked in it."""
    words = _WORD.findall(detected.note.text)
    torn = sum(
        _TORN.match(word) is not None
        for word in within_time(words)
        if not word.isalpha() and not word.isdigit()
    )
    return NoteEvidence(
        unsure=sum(span.score < SURE for span in detected.spans),
        torn=_SHARE_OF * torn / max(1, len(words)),
    )
