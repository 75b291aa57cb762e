"""Tell what kind of piece of a note this is: prose may be exchanged, every other kind stays.

A cell, a row of medication, a list of results or the answer to "allergies" is read as a fact of
this patient; prose of another patient in its place would be read the same way.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import islice
from typing import Final

from deidstream.models.kneo.guards.drugs import find_drugs
from deidstream.models.kneo.guards.tokens import tokens_of
from deidstream.models.text.patterns import word_set


class UnitKind(StrEnum):
    """What a piece of a note is; the first that fits, in this order."""

    HEADING = "heading"
    SHORT = "short"
    """Fewer words than the policy's ``min_words``."""
    CELL = "cell"
    """A cell of a table, or one of several values on a line."""
    ALLERGY = "allergy"
    """An answer to the heading "allergies", or a sentence that denies any."""
    MEDICATION = "medication"
    """A drug with its dose or how often it is taken."""
    VALUES = "values"
    """Several numbers and little else: vital signs, results of tests."""
    PROSE = "prose"


_ALLERGIES: Final = re.compile(
    r"(?i)(?:[a-z/&]{1,12} ){0,2}(?:allerg(?:y|ies)|adverse (?:drug )?reactions?|intolerances?)"
    r"(?: (?:list|status|history))?(?: ?(?:/|and|&) ?[a-z ]{1,30})?:?"
)
_NO_ALLERGIES: Final = re.compile(
    r"(?i)\bnk(?:d?a)\b|\b(?:no|not) (?:known )?(?:[a-z]{1,12} ){0,2}?allerg"
)
_DOSE: Final = re.compile(
    r"(?i)\d ?-?(?:mgs?|mcgs?|ug|\u00b5g|g|grams?|mls?|cc|units?|iu|meq|%|puffs?|tab(?:let)?s?"
    r"|caps?(?:ules?)?|drops?|gtts?|sprays?|patch)\b"
)
_OFTEN: Final = word_set(
    "daily bid tid qid qd qday qhs qam qpm od bd tds qds hs prn po iv im sc sl pr weekly nightly "
    "nocte mane stat bedtime inhaled topical subcutaneously"
)
_DOSAGE_FORMS: Final = word_set("tab tabs tablet cap caps capsule inj syr syp susp oint t c")
_FIRST_WORDS: Final = 3
"""Words among which a row of medication names its drug."""
_LEAST_NUMBERS, _MOST_WORDS_A_NUMBER = 2, 3


def kind_of(text: str, heading: str) -> UnitKind:
    """Tell the kind of a piece that is no heading, no cell and not short.

    Args:
        text: The piece on one line, with labels in place of replaced spans.
        heading: The heading that it stands under; empty if none.
    """
    if _ALLERGIES.fullmatch(heading) or _NO_ALLERGIES.search(text):
        return UnitKind.ALLERGY
    tokens = tokens_of(text)
    if _is_medication(text, tokens):
        return UnitKind.MEDICATION
    return UnitKind.VALUES if _is_values(text) else UnitKind.PROSE


def _is_medication(text: str, tokens: Sequence[str]) -> bool:
    """Return whether a piece begins with a drug and has a dose or a time of taking."""
    words = [word for word in islice(tokens, 2 * _FIRST_WORDS) if word[0].isalpha()]
    first = words[:_FIRST_WORDS]
    begins = bool(first) and (first[0] in _DOSAGE_FORMS or any(find_drugs(first[:2])))
    return begins and (_DOSE.search(text) is not None or not _OFTEN.isdisjoint(tokens))


def _is_values(text: str) -> bool:
    """Return whether at least every third word of a piece has a number."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    numbers = sum(any(map(str.isdigit, word)) for word in words)
    return numbers >= _LEAST_NUMBERS and _MOST_WORDS_A_NUMBER * numbers >= len(words)
