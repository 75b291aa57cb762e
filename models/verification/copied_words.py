"""KNEO must not leave a long run of the note's own words.

Under sentence KNEO headings and short lines stay by design and are not counted; a sentence without
a neighbour that may be drawn stays too, and is counted. On 183 development notes the longest run is
23 words; where the stage does nothing it is over 32 in 80 of them.

Word KNEO writes every word itself: a letter that it did not write, and that is no surrogate's and
of no code that the policy keeps, was left. Drawn words may happen to repeat words of the note, but
no long run of them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from deidstream.models.kneo.units import cut_units
from deidstream.models.records import Substituted, remaining
from deidstream.models.text.folding import words_of
from deidstream.schemas.policy import Policy, Technique
from deidstream.schemas.span import Replacement

LONGEST_RUN = 32
"""Words of the note in a row that may be left."""
LONGEST_DRAWN_RUN = 8
"""Words of the note in a row that drawn words may happen to be."""
_POSSESSIVE = re.compile("(?i)'s")
"""The end of a possessive stays."""


def copies_words(substituted: Substituted, policy: Policy) -> bool:
    """Return whether too many of the note's words stand in a row in the output, under KNEO."""
    ours = remaining(substituted.replacements)
    match policy.technique:
        case Technique.KNEO_SENTENCES | Technique.KNEO_NOTES:
            stretches = _open_stretches(substituted.text, ours, policy.kneo.min_words)
            return _has_run(substituted, stretches, LONGEST_RUN)
        case Technique.KNEO_WORDS:
            places = [(one.out_start, one.out_end) for one in ours]
            between = _stretches_between(substituted.text, places)
            return _leaves_words(substituted) or _has_run(substituted, between, LONGEST_DRAWN_RUN)
        case _:
            return False


def _has_run(substituted: Substituted, stretches: Iterable[str], longest: int) -> bool:
    own = set(_runs(words_of(substituted.planned.note.text), longest))
    return any(not own.isdisjoint(_runs(words_of(stretch), longest)) for stretch in stretches)


def _leaves_words(substituted: Substituted) -> bool:
    """Return whether a letter of the output was left that word KNEO did not mean to leave."""
    ours = [(one.out_start, one.out_end) for one in substituted.replacements]
    places = sorted([*ours, *substituted.written, *substituted.kept])
    left = " ".join(_stretches_between(substituted.text, places)).replace("\u2019s", "'s")
    return any(c.isalpha() for c in _POSSESSIVE.sub("", left))


def _open_stretches(text: str, ours: Sequence[Replacement], min_words: int) -> Iterator[str]:
    """Yield the text between surrogates, headings and short lines; some of it is empty."""
    closed = [(unit.start, unit.end) for unit in cut_units(text, ours, min_words) if not unit.open]
    places = sorted([*closed, *((one.out_start, one.out_end) for one in ours)])
    return _stretches_between(text, places)


def _stretches_between(text: str, places: Iterable[tuple[int, int]]) -> Iterator[str]:
    """Yield the text between sorted places, which may overlap."""
    at = 0
    for start, end in places:
        yield text[at:start]
        at = max(at, end)
    yield text[at:]


def _runs(words: Sequence[str], longest: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - longest):
        yield tuple(words[start : start + longest + 1])
