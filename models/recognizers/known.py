"""Find the identifiers that the sender already knows: the ``known`` block of a note and its ids."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.phi.terms import name_terms, number_terms, phone_terms, whole_terms
from deidstream.models.text.search import Term, find_occurrences
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.span import Span

SHORTEST_NUMBER = 3
"""Characters of the shortest known number that is looked for: shorter ones occur by chance."""
SHORTEST_ID = 4
"""Characters of the shortest id of a message that is looked for in its text."""
_Labelled = tuple[PhiLabel, Term]


@dataclass(frozen=True, slots=True)
class KnownRecognizer:
    """Finds every written form of the identifiers that a message has of its patient."""

    @property
    def name(self) -> str:
        """``known``."""
        return "known"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the known names, identifiers, dates, phones and addresses in each note, score 1.

        A word of a name that is also an ordinary word or an eponym counts only where it is written
        as a name. The ids of the message itself count too, from 4 characters on.
        """
        return [tuple(_spans(note)) for note in notes]


def _spans(note: RawNote) -> Iterator[Span]:
    labels: dict[Term, PhiLabel] = {}
    for label, term in chain(_of_block(note.known), _of_message(note)):
        labels.setdefault(term, label)
    for found in find_occurrences(note.text, tuple(labels)):
        yield Span(found.start, found.end, labels[found.term], 1.0, "known")


def _of_block(known: KnownIdentifiers) -> Iterator[_Labelled]:
    for name in known.names:
        yield from ((PhiLabel.PATIENT, term) for term in _forms_of_name(name))
    for identifier in known.identifiers:
        yield from ((PhiLabel.IDNUM, term) for term in _forms_of_number(identifier))
    for date in known.dates:
        yield from ((PhiLabel.DATE, Term(form)) for form in date_forms(date))
    for phone in known.phones:
        forms = (*_forms_of_number(phone), *phone_terms(phone))
        yield from ((PhiLabel.PHONE, term) for term in forms)
    for address in known.addresses:
        yield from ((PhiLabel.STREET, term) for term in _forms_of_address(address))


def _of_message(note: RawNote) -> Iterator[_Labelled]:
    ids = ((PhiLabel.MEDICALRECORD, note.patient_id), (PhiLabel.IDNUM, note.note_id))
    for label, identifier in ids:
        if len(identifier.strip()) >= SHORTEST_ID:
            yield label, Term(identifier)
            yield from ((label, term) for term in number_terms(identifier))


def _forms_of_name(name: str) -> Iterator[Term]:
    yield from name_terms(name)
    last, comma, rest = (part.strip() for part in name.partition(","))
    words = name.split()
    if not comma and len(words) > 1:
        last, rest = words[-1], " ".join(words[:-1])
    if not (last and rest):
        return
    given = rest.split()
    orders = (f"{rest} {last}", f"{last}, {rest}", f"{last} {rest}", f"{given[0]} {last}")
    shorter = (f"{last}, {given[0]}", f"{last},{given[0]}", f"{last} {given[0]}")
    for form in (*orders, *shorter, *_with_initials(given, last)):
        yield from whole_terms(form)


def _with_initials(given: Sequence[str], last: str) -> Iterator[str]:
    first, middle = given[0][0], [word[0] for word in given[1:]]
    yield from (f"{first}. {last}", f"{first} {last}", f"{first}.{last}")
    yield from (f"{last}, {first}", f"{last} {first}")
    for initial in middle[:1]:
        yield f"{given[0]} {initial}. {last}"
        yield f"{given[0]} {initial} {last}"
        yield f"{first}. {initial}. {last}"
        yield f"{first}.{initial}. {last}"
        yield f"{last}, {given[0]} {initial}"


def _forms_of_number(number: str) -> Iterator[Term]:
    if len(number.strip()) >= SHORTEST_NUMBER:
        yield Term(number)
    yield from number_terms(number)


def _forms_of_address(address: str) -> Iterator[Term]:
    yield from whole_terms(address)
    for part in address.replace("\n", ",").split(","):
        if any(map(str.isalpha, part)):
            yield from whole_terms(part.strip())
        yield from number_terms(part)
