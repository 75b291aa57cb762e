"""A written form of PHI that a site declares in its policy."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Interval

LONGEST_PATTERN = 1000
"""Characters of a regular expression."""
MOST_WORDS = 20
"""Words to each side of a match in which a cue may stand."""


@dataclass(frozen=True, slots=True)
class SitePattern:
    """A regular expression with the label of what it matches, and the words beside it."""

    pattern: str
    """A regular expression in the syntax of re2. What it matches, or its group ``phi``, is the
    label, unless a letter or digit stands next to it."""
    label: str
    """What a match is: one of the 28 labels, or one of ``[labels]``."""
    score: Annotated[float, Interval(ge=0.0, le=1.0)] = 1.0
    """Probability that a match is the label, if nothing else was found at its place."""
    before: tuple[str, ...] = ()
    """Words of which one must stand before a match; with ``behind``, before or behind it."""
    behind: tuple[str, ...] = ()
    """Words of which one must stand behind a match."""
    within: Annotated[int, Interval(ge=1, le=MOST_WORDS)] = 5
    """How many words beside a match are looked at."""
    examples: tuple[str, ...] = ()
    """Texts, what is to be found in them marked ``[[so]]``."""
    counter_examples: tuple[str, ...] = ()
    """Texts in which nothing is to be found."""
