"""The terms by which the identifiers that a sender knows are looked for in a text."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain

from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.phi.known.number_parts import SHORTEST, WHOLE
from deidstream.models.phi.known.placeholders import drop_placeholders
from deidstream.models.phi.known.stated_addresses import AddressPart, role_of
from deidstream.models.phi.known.stated_names import is_ordinary
from deidstream.models.phi.terms import (
    COUNTRY_CODES,
    SHORTEST_NAME,
    number_terms,
    phone_terms,
    whole_terms,
    word_term,
)
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import SeenWords, Term
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote

AMERICAN, LOCAL = 10, 7
"""Digits of an American telephone number, and of what follows its area code."""
_LOCAL_ABROAD = 8
_NATIONAL = 9
"""Digits of a telephone number with its area code, without a zero before it."""
SHORTEST_ID = 4
"""Characters of the shortest id of a message that is looked for in its text."""
_DATED = 4
"""Digits of a date without a year, or of a year: fewer occur by chance."""
FormsOfDate = Callable[[str, Collection[str] | None], Collection[str]]
"""Takes a date, and the runs of digits and of letters of the text in which it is looked for."""
_Labelled = tuple[PhiLabel, Term]


def is_limited_by_text(known: KnownIdentifiers) -> bool:
    """Return whether what a text holds limits which terms of a block are looked for in it.

    It does so for names and dates; for other notes ``known_terms`` need not be told it.
    """
    return any((known.names, known.staff, known.dates))


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
    known = drop_placeholders(known)
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
        yield from ((PhiLabel.DATE, term) for term in _terms_of_date(date, forms))
    for phone in known.phones:
        phones = (*_forms_of_number(phone), *phone_terms(phone), *_forms_of_phone(phone))
        yield from ((PhiLabel.PHONE, term) for term in phones)
    for address in known.addresses:
        yield from ((PhiLabel.STREET, term) for term in _forms_of_address(address))


def _of_message(note: RawNote) -> Iterator[_Labelled]:
    ids = ((PhiLabel.MEDICALRECORD, note.patient_id), (PhiLabel.IDNUM, note.note_id))
    for label, identifier in ids:
        if len(identifier.strip()) >= SHORTEST_ID:
            yield from ((label, term) for term in _wholes_of_number(identifier))


def _wholes_of_number(number: str) -> Iterator[Term]:
    """Yield a number as it is written and without its separators.

    A short one, such as ``417`` and ``B12``, is more often something else: ``known.number_parts``
    looks for it. What has no digit and is made of ordinary words is no number.
    """
    words = words_of(number)
    plain = "".join(words)
    spelled = not any(map(str.isdigit, plain))
    whole = len(plain) >= WHOLE or (len(plain) >= SHORTEST and (spelled or len(words) > 1))
    if whole and not (spelled and all(map(is_ordinary, words))):
        yield Term(number)
        yield from number_terms(number)


def _forms_of_number(number: str) -> Iterator[Term]:
    yield from _wholes_of_number(number)
    # A number is also written without the letters around it.
    digits = max(re.findall(r"\d+", "".join(filter(str.isalnum, number))), key=len, default="")
    yield from number_terms(digits)


def _forms_of_phone(phone: str) -> Iterator[Term]:
    """Yield a telephone number with each country code, and without its area code."""
    digits = "".join(filter(str.isdecimal, phone.casefold().partition("x")[0].partition("e")[0]))
    american = digits.removeprefix("1")
    if len(american) == AMERICAN:
        yield from number_terms(american[-LOCAL:])
    abroad = digits.removeprefix("00")
    coded = (abroad.removeprefix(code) for code in COUNTRY_CODES if abroad.startswith(code))
    for national in {one.removeprefix("0") for one in (digits, *coded)}:
        if len(national) < _NATIONAL or len(national) > AMERICAN + 1:
            continue
        for code in COUNTRY_CODES:
            yield from number_terms(code + national)
            yield from number_terms(f"{code}0{national}")
            yield from number_terms(f"00{code}{national}")
        if digits.startswith("0"):
            yield from number_terms(national[-_LOCAL_ABROAD:])


def _terms_of_date(date: str, forms: Collection[str]) -> Iterator[Term]:
    """Yield the forms of a date; ``May`` where it is written as a name, ``1/2`` nowhere."""
    if len(forms) > 1 or sum(map(str.isdigit, date)) >= _DATED:
        yield from map(Term, forms)
    elif date.strip().isalpha():
        yield from map(word_term, forms)
    elif sum(map(str.isalpha, date)) >= SHORTEST_NAME:
        yield from map(Term, forms)


def _forms_of_address(address: str) -> Iterator[Term]:
    if len(words_of(address)) > 1:
        yield from whole_terms(address)
    for part in address.replace("\n", ",").split(","):
        words = words_of(part)
        if len(words) > 1 or (
            words and role_of(words[0]) in {AddressPart.PROPER, AddressPart.PLAIN}
        ):
            yield from whole_terms(part.strip())
        yield from number_terms(part)
