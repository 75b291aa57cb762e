"""Find identifiers of a note in its correlation, which leaves unchanged.

It is meant for a number of the sender's own, but some senders put a record number or a name there.
It is compared by its letters and digits alone: ``MRN-00.417`` holds ``00417``. Random ids hold
short runs of digits by chance; of those, only long identifiers count. Dates are compared by value:
one that stands beside its shifted self would tell the shift of all dates of the patient.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain

from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.phi.dates.held_days import Day, days_of, find_held_days
from deidstream.models.phi.dates.ranges import complete, dates_of, read_dates
from deidstream.models.phi.known_terms import known_terms
from deidstream.models.records import Planned
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import SeenWords, Term, find_occurrences
from deidstream.schemas.errors import Reason
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Failed, Outcome
from deidstream.schemas.policy import OperatorName, Policy

REFUSED = Reason.IDENTIFYING_CORRELATION
_RANDOM = re.compile("[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|[0-9a-f]{32,}", re.IGNORECASE)
"""A UUID or a digest."""
_PART = re.compile("[a-z]+|[0-9]+")
_LONG_NUMBER = re.compile("[0-9]{5,}")
_ANYWHERE = 6
"""Letters and digits of an identifier that counts wherever it stands in a correlation."""
_ANYWHERE_IN_RANDOM = 7
_AS_WORD, _AS_PART = 3, 4
"""Letters and digits of an identifier that counts as a word, or as the letters or digits of one."""


@dataclass(frozen=True, slots=True)
class _Correlation:
    """A correlation made ready to be compared with many identifiers."""

    letters: str
    anywhere: int
    pieces: frozenset[str]
    days: frozenset[Day]

    @classmethod
    def read(cls, correlation: str) -> "_Correlation":
        words = words_of(correlation)
        letters = "".join(words)
        if _RANDOM.fullmatch(correlation):
            days = find_held_days(correlation, random=True)
            return cls(letters, _ANYWHERE_IN_RANDOM, frozenset(), days)
        parts = (part for word in words for part in _PART.findall(word))
        long_words = (word for word in words if len(word) >= _AS_WORD)
        long_parts = (part for part in parts if len(part) >= _AS_PART)
        pieces = frozenset(chain(long_words, long_parts))
        return cls(letters, _ANYWHERE, pieces, find_held_days(correlation))

    def holds(self, identifier: str) -> bool:
        """Return whether it equals or contains an identifier, by letters and digits alone."""
        sought = "".join(words_of(identifier))
        if not sought:
            return False
        if sought == self.letters or sought in self.pieces:
            return True
        return len(sought) >= self.anywhere and sought in self.letters


def holds_identifier(planned: Planned, policy: Policy) -> bool:
    """Return whether the correlation of a note holds one of its identifiers.

    These are its ids, what its sender knows, in every written form, every direct identifier that
    was found in its text, and every day of its dates that does not stay as it is.
    """
    note = planned.note
    if note.correlation is None:
        return False
    correlation = _Correlation.read(note.correlation)
    if any(map(correlation.holds, _identifiers(planned, note.correlation))):
        return True
    days = _stated_days(note)
    if policy.operators[PhiLabel.DATE] is not OperatorName.KEEP:
        days = chain(days, _found_days(planned))
    return not correlation.days.isdisjoint(days)


def _identifiers(planned: Planned, correlation: str) -> Iterator[str]:
    note = planned.note
    yield from _stated(note)
    yield from (term.text for term in known_terms(note, SeenWords.of_text(correlation)))
    yield from (term.text for term in planned.leak_terms)
    direct = (span for span in planned.detected.spans if is_direct(span.label))
    for span in direct:
        found = note.text[span.start : span.end]
        yield from (found, *words_of(found))


def correlate(note: RawNote, outcome: Outcome) -> Outcome:
    """Return the outcome of a note with the note's correlation, where it failed and has one.

    It may have failed before anything was found in it. So the correlation is stated only where it
    holds no word of the note, whatever that is.
    """
    if note.correlation is None or not isinstance(outcome, Failed) or outcome.reason is REFUSED:
        return outcome
    correlation = _Correlation.read(note.correlation)
    if any(map(correlation.holds, chain(_stated(note), words_of(note.text)))):
        return outcome
    if not correlation.days.isdisjoint(_stated_days(note)) or _is_day_written(note, correlation):
        return outcome
    return replace(outcome, correlation=note.correlation)


def _stated(note: RawNote) -> Iterator[str]:
    """Yield the ids of a note, what its sender knows, and long numbers and names within these."""
    ids = (note.note_id, note.patient_id, *note.known.identifiers)
    yield from ids
    yield from chain.from_iterable(_LONG_NUMBER.findall(each) for each in ids)
    yield from chain.from_iterable(_values(note.known))
    for name in (*note.known.names, *note.known.staff):
        yield from words_of(name)


def _values(known: KnownIdentifiers) -> Iterable[tuple[str, ...]]:
    return (getattr(known, field.name) for field in fields(known))


def _found_days(planned: Planned) -> Iterator[Day]:
    for one in planned.mentions:
        if one.mention.label is PhiLabel.DATE:
            yield from days_of(dates_of(one.mention), day_first=one.mention.facts.day_first)


def _stated_days(note: RawNote) -> Iterator[Day]:
    """Yield the days that a note states beside its text: when it was written, what is known."""
    facts = NoteFacts()
    for text in (*note.known.dates, *filter(None, (note.authored_at,))):
        dates = complete(read_dates(text.strip(), facts), (), (), facts)
        yield from days_of(dates, day_first=facts.day_first)


def _is_day_written(note: RawNote, correlation: _Correlation) -> bool:
    """Return whether the text of a note has a day of its correlation in any form."""
    if not correlation.days:
        return False
    seen = SeenWords.of_text(note.text)
    runs = seen.numbers | seen.letters
    terms: set[Term] = set()
    for year, month, day in correlation.days:
        terms.update(map(Term, date_forms(f"{month:02d}/{day:02d}/{year:02d}", runs)))
    return bool(find_occurrences(note.text, terms))
