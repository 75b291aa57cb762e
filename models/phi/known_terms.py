"""The terms by which the identifiers that a sender knows are looked for in a text."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain

from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.phi.terms import number_terms, phone_terms, whole_terms
from deidstream.models.text.search import SeenWords, Term
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote

SHORTEST_NUMBER = 3
"""Characters of the shortest known number that is looked for: shorter ones occur by chance."""
AMERICAN, LOCAL = 10, 7
"""Digits of an American telephone number, and of what follows its area code."""
SHORTEST_ID = 4
"""Characters of the shortest id of a message that is looked for in its text."""
FormsOfDate = Callable[[str, Collection[str] | None], Collection[str]]
"""Takes a date, and the runs of digits and of letters of the text in which it is looked for."""
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
        # The words of a name are found by ``known.find_known``; this is the name as it is stated.
        for name in names:
            if len(name.split()) > 1 and (seen is None or seen.hold_a_word_of(name)):
                yield from ((label, term) for term in whole_terms(name))
    for identifier in known.identifiers:
        yield from ((PhiLabel.IDNUM, term) for term in _forms_of_number(identifier))
    runs = None if seen is None or not known.dates else seen.numbers | seen.letters
    for date in known.dates:
        forms = forms_of_date(date, runs)
        yield from ((PhiLabel.DATE, Term(form)) for form in forms)
    for phone in known.phones:
        phones = (*_forms_of_number(phone), *phone_terms(phone), *_local_number(phone))
        yield from ((PhiLabel.PHONE, term) for term in phones)
    for address in known.addresses:
        yield from ((PhiLabel.STREET, term) for term in _forms_of_address(address))


def _of_message(note: RawNote) -> Iterator[_Labelled]:
    ids = ((PhiLabel.MEDICALRECORD, note.patient_id), (PhiLabel.IDNUM, note.note_id))
    for label, identifier in ids:
        if len(identifier.strip()) >= SHORTEST_ID:
            yield label, Term(identifier)
            yield from ((label, term) for term in number_terms(identifier))


def _forms_of_number(number: str) -> Iterator[Term]:
    if len(number.strip()) >= SHORTEST_NUMBER:
        yield Term(number)
    yield from number_terms(number)
    # A number is also written without its leading zeros and without the letters around it.
    digits = max(re.findall(r"\d+", "".join(filter(str.isalnum, number))), key=len, default="")
    yield from number_terms(digits)
    yield from number_terms(digits.lstrip("0"))


def _local_number(phone: str) -> Iterator[Term]:
    """Yield an American number without its area code."""
    digits = "".join(filter(str.isdecimal, phone.casefold().partition("x")[0])).removeprefix("1")
    if len(digits) == AMERICAN:
        yield from number_terms(digits[-LOCAL:])


def _forms_of_address(address: str) -> Iterator[Term]:
    yield from whole_terms(address)
    for part in address.replace("\n", ",").split(","):
        if any(map(str.isalpha, part)):
            yield from whole_terms(part.strip())
        yield from number_terms(part)
