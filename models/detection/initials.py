"""Find the initials of persons whose names a note holds, where people sign or are listed.

Acronyms of its institutions are found where they are in capitals and mean nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.phi.known.initials_alone import find_initials
from deidstream.models.phi.known.name_matches import NameMatch
from deidstream.models.phi.known.person_set import PersonSet
from deidstream.models.phi.known.stated_names import (
    StatedNames,
    WordSort,
    is_ordinary,
    read_stated_name,
)
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.phi.not_phi import clinical_letters
from deidstream.models.phi.places.phrases import find_acronyms
from deidstream.schemas.label import INSTITUTIONS, PERSONS, PhiLabel
from deidstream.schemas.span import Span

_SURE = 0.9
"""Probability of a name whose initials are looked for."""
_MOST_NAMES = 100
"""Names whose initials are looked for: with more, most pairs of letters are somebody's."""
_MAY_BE_INITIALS = re.compile(
    r"(?<![^\W_])(?:[A-Z]{2,4}|[A-Z]{1,2}[a-z]{1,3}[A-Z]|[A-Z]?\.?[A-Z]['\u2019][A-Z]"
    r"|[A-Za-z]\. ?[A-Za-z](?:\. ?[A-Za-z])?)(?![^\W_])\.?"
)
_ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
_SURELY_ACRONYM = 4
"""Letters of an acronym that stands for an institution wherever it is not an abbreviation."""

_OF_PERSONS = PERSONS | {PhiLabel.USERNAME}
"""Labels of what may be a user name."""


class Initials(NamedTuple):
    """``[start, end)`` of initials or an acronym, and a span of the name that they are of."""

    start: int
    end: int
    name: Span


def score_shortened_names(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, float]]:
    """Yield spans of initials, user names and acronyms that a name of the note has, and its score.

    Initials count where they are written as such, in capitals or with full stops; a user name where
    it is composed of the name as user names are.

    Args:
        text: Text of the note.
        spans: Disjoint, in order, with probabilities as scores.
    """
    acronyms = _index_acronyms(text, spans)
    for span in spans:
        name = acronyms.get(text[span.start : span.end].casefold())
        if name and span.label in INSTITUTIONS:
            yield span, name.score
    named = _find_full_names(text, spans)
    if not named or len(named) > _MOST_NAMES:
        return
    stated = StatedNames.of_names((each[0].label, name) for name, each in named.items())
    surest = [max(span.score for span in each) for each in named.values()]
    for span in spans:
        written = text[span.start : span.end]
        letters = re.sub(r"[\W\d_]", "", written).casefold()
        of = stated.logins.get(letters) if span.label in _OF_PERSONS else None
        if span.label in PERSONS and _MAY_BE_INITIALS.fullmatch(written):
            of = stated.initials.get(letters)
        if of:
            yield span, surest[of.first]


def find_initials_of_names(text: str, spans: Sequence[Span]) -> Iterator[Initials]:
    """Yield the initials of the persons that spans name in full.

    They count by the same signs as those of persons whom the sender states
    (``phi.known.initials_alone``): the note explains them, or they sign, are listed, or follow a
    word such as ``per``; an abbreviation needs more of these.

    Args:
        text: Text of the note.
        spans: Disjoint, in order.
    """
    named = _find_full_names(text, spans)
    if not named or len(named) > _MOST_NAMES:
        return
    stated = StatedNames.of_names((each[0].label, name) for name, each in named.items())
    written_so = {re.sub(r"\W", "", m[0]).casefold() for m in _MAY_BE_INITIALS.finditer(text)}
    if stated.initials.keys().isdisjoint(written_so):
        return
    names = [
        NameMatch(span.start, span.end, PersonSet.of_person(number), WordSort.OWN)
        for number, each in enumerate(named.values())
        for span in each
    ]
    firsts = [each[0] for each in named.values()]
    for found in find_initials(WrittenText.of_text(text), stated, sorted(names)):
        yield Initials(found.start, found.end, firsts[found.persons.first])


def find_acronyms_of_names(text: str, spans: Sequence[Span]) -> Iterator[Initials]:
    """Yield the acronyms of the institutions that spans name, in capitals.

    Those of fewer than four letters count behind a bracket alone: ``Moor Bay Clinic (MBC)``.

    Args:
        text: Text of the note.
        spans: Disjoint, in order.
    """
    acronyms = _index_acronyms(text, spans)
    for match in _ACRONYM.finditer(text) if acronyms else ():
        form = match[0].casefold()
        name = acronyms.get(form)
        if name is None:
            continue
        explained = text[name.end : match.start()].strip() == "("
        alone = not is_ordinary(form) and form not in clinical_letters()
        if explained or (alone and len(form) >= _SURELY_ACRONYM):
            yield Initials(match.start(), match.end(), name)


def _index_acronyms(text: str, spans: Sequence[Span]) -> dict[str, Span]:
    """Return the surest institution of each acronym, in small letters."""
    found: dict[str, Span] = {}
    for span in spans:
        if span.label in INSTITUTIONS and span.score >= _SURE:
            for acronym in find_acronyms(text[span.start : span.end]):
                if acronym not in found or span.score > found[acronym].score:
                    found[acronym] = span
    return found


def _find_full_names(text: str, spans: Sequence[Span]) -> dict[str, list[Span]]:
    """Return the spans of each name that has a given name, or its initial, and a surname."""
    named: dict[str, list[Span]] = {}
    for span in spans:
        if span.label in PERSONS and span.score >= _SURE:
            for name in _separate_names(" ".join(text[span.start : span.end].split())):
                if name in named or _is_full_name(name):
                    named.setdefault(name, []).append(span)
    return named


def _separate_names(written: str) -> list[str]:
    """Cut a list of names that stands in one span; ``Roe-Lind, Ann Mary`` is one name."""
    names = written.split(", ")
    return names if all(" " in name for name in names) else [written]


def _is_full_name(name: str) -> bool:
    given, family = read_stated_name(name)
    return bool(given) and any(len(word) > 1 for word in family)
