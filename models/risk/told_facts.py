"""Find what a text tells of a person whom others know: it names nobody, and can name the patient.

Public persons, events that the news were of, rare diseases, what is said to be the only one, and
occupations. Terms are in ``risk.told.txt``; patterns find what has no term of its own. A fact is a
place in the note, so that a reader sees it; what recognizers replaced is none any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

import re2

from deidstream.models.text.word_files import cut_groups, read_data, split_list

_FILE = "risk.told.txt"


class ToldKind(StrEnum):
    """What is told."""

    PUBLIC_PERSON = "PUBLIC_PERSON"
    PUBLIC_EVENT = "PUBLIC_EVENT"
    """It also tells the day, which dates that were moved hide."""
    RARE_DISEASE = "RARE_DISEASE"
    ONLY_ONE = "ONLY_ONE"
    OCCUPATION = "OCCUPATION"
    """That no recognizer saw."""


SHARES: Mapping[ToldKind, float] = MappingProxyType(
    {
        ToldKind.PUBLIC_PERSON: 1 / 200_000,
        ToldKind.PUBLIC_EVENT: 1 / 200_000,
        ToldKind.RARE_DISEASE: 1 / 200_000,
        ToldKind.ONLY_ONE: 1 / 1_000_000,
        ToldKind.OCCUPATION: 1 / 300,
    }
)
"""Share of people whom a fact of the kind fits: orders of magnitude, as those of true facts."""
_PLACE = r"(?:town|city|county|state|country|region|village|island|world|school|team|church)"
_ONLY = (
    r"(?:one of (?:only |the only )?(?:two|three|four|five|six|\d) (?:\w+ )?"
    r"(?:patients|people|persons|cases|families|survivors)"
    rf"|(?:only|first) (?:known |reported )?(?:patient|person|case|woman|man|child|family)"
    rf" (?:in|with|of) (?:the|this|our) {_PLACE}"
    rf"|the only \w+ (?:at|in|of|on) (?:the|this|our) (?:\w+ )?{_PLACE}|(?:sole|only) survivor)"
)
_WORK = (
    r"(?:(?:works?|worked|working|employed) as (?:an? |the (?:only )?)?|occupation: ?)"
    r"((?:[a-z-]+ ){0,2}?[a-z-]+)(?:[.,;)\n]|$"
    r"| (?:at|in|for|and|with|of|on|until|since|then|before|after|but|who|when)\b)"
)


_NO_WORK = frozenset(
    split_list("expected intended needed designed directed planned prescribed usual well much part")
)
"""What things work as."""


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A place that tells something of its person."""

    start: int
    end: int
    kind: ToldKind = field(repr=False)


def find_told_facts(text: str) -> list[ToldFact]:
    """Return the places of a text that tell something, in order; they may touch each other.

    >>> text = "He is the mayor; the ferry capsized."
    >>> [text[one.start : one.end] for one in find_told_facts(text)]
    ['mayor', 'ferry capsized']
    """
    found: list[ToldFact] = []
    for kind, pattern in _patterns().items():
        for match in pattern.finditer(text):
            if kind is ToldKind.OCCUPATION and match[1].split()[0].casefold() in _NO_WORK:
                continue
            # What a pattern tells is its group, if it has one.
            start, end = match.span(match.re.groups)
            found.append(ToldFact(start, end, kind))
    return sorted(found, key=lambda one: (one.start, -one.end))


@cache
def _patterns() -> Mapping[ToldKind, Any]:
    listed = {
        ToldKind(heading): re2.compile(rf"(?i)\b(?:{_unite(terms)})\b")
        for heading, terms in cut_groups(read_data(_FILE))
    }
    only, work = re2.compile(rf"(?i)\b{_ONLY}\b"), re2.compile(rf"(?i)\b{_WORK}")
    return listed | {ToldKind.ONLY_ONE: only, ToldKind.OCCUPATION: work}


def _unite(terms: list[str]) -> str:
    """Return a pattern of all terms, however their words are separated."""
    # The longest first: an alternation takes the first that fits.
    escaped = map(re2.escape, sorted(terms, key=len, reverse=True))
    return "|".join(escaped).replace(r"\ ", r"\s+").replace(r"\-", "[- ]")
