"""The terms by which the identifiers that a sender knows are looked for in a text."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain

from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.phi.terms import name_terms, number_terms, phone_terms, whole_terms
from deidstream.models.text.search import SeenWords, Term
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote

SHORTEST_NUMBER = 3
"""Characters of the shortest known number that is looked for: shorter ones occur by chance."""
SHORTEST_ID = 4
"""Characters of the shortest id of a message that is looked for in its text."""
FormsOfDate = Callable[[str, Collection[str] | None], Collection[str]]
"""Takes a date, and the numbers of the text in which its forms are looked for."""
_Labelled = tuple[PhiLabel, Term]


def known_terms(
    note: RawNote, seen: SeenWords | None = None, forms_of_date: FormsOfDate = date_forms
) -> dict[Term, PhiLabel]:
    """Return every written form of what a message knows of its patient, with its label.

    The ids of the message itself count too, from 4 characters on. Of two labels of one form the
    first counts.

    Args:
        note: The message.
        seen: What the text holds in which the terms are looked for; terms that cannot occur there
            may be left out, which saves most of the time.
        forms_of_date: Writes a known date in every form.
    """
    labels: dict[Term, PhiLabel] = {}
    for label, term in chain(_of_block(note.known, seen, forms_of_date), _of_message(note)):
        labels.setdefault(term, label)
    return labels


def _of_block(
    known: KnownIdentifiers, seen: SeenWords | None, forms_of_date: FormsOfDate
) -> Iterator[_Labelled]:
    for label, names in ((PhiLabel.PATIENT, known.names), (PhiLabel.DOCTOR, known.staff)):
        for name in names:
            if seen is None or seen.hold_a_word_of(name):
                yield from ((label, term) for term in _forms_of_name(name))
    for identifier in known.identifiers:
        yield from ((PhiLabel.IDNUM, term) for term in _forms_of_number(identifier))
    for date in known.dates:
        forms = forms_of_date(date, None if seen is None else seen.numbers)
        yield from ((PhiLabel.DATE, Term(form)) for form in forms)
    for phone in known.phones:
        phones = (*_forms_of_number(phone), *phone_terms(phone))
        yield from ((PhiLabel.PHONE, term) for term in phones)
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
