"""Sentence KNEO must not leave a long run of the note's own words.

Headings and short lines stay by design and are not counted; a sentence without a neighbour that may
be drawn stays too, and is counted. On 183 development notes the longest run is 23 words; where the
stage does nothing it is over 32 in 80 of them.
"""

from collections.abc import Iterator, Sequence

from deidstream.models.kneo.units import cut_units
from deidstream.models.records import Substituted, remaining
from deidstream.models.text.folding import words_of
from deidstream.schemas.policy import Policy, Technique
from deidstream.schemas.span import Replacement

LONGEST_RUN = 32
"""Words of the note in a row that may be left."""


def copies_words(substituted: Substituted, policy: Policy) -> bool:
    """Return whether too many of the note's words stand in a row in the output, under KNEO."""
    if policy.technique is not Technique.KNEO_SENTENCES:
        return False
    own = set(_runs(words_of(substituted.planned.note.text)))
    ours = remaining(substituted.replacements)
    return any(
        not own.isdisjoint(_runs(words_of(stretch)))
        for stretch in _open_stretches(substituted.text, ours, policy.kneo.min_words)
    )


def _open_stretches(text: str, ours: Sequence[Replacement], min_words: int) -> Iterator[str]:
    """Yield the text between surrogates, headings and short lines; some of it is empty."""
    closed = [(unit.start, unit.end) for unit in cut_units(text, ours, min_words) if not unit.open]
    at = 0
    for start, end in sorted([*closed, *((one.out_start, one.out_end) for one in ours)]):
        yield text[at:start]
        at = max(at, end)
    yield text[at:]


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - LONGEST_RUN):
        yield tuple(words[start : start + LONGEST_RUN + 1])
