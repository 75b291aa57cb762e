"""Find in a text what a message states of its patient and of those beside the patient."""

from deidstream.models.phi.known.address_matches import find_addresses
from deidstream.models.phi.known.initials_alone import find_initials
from deidstream.models.phi.known.known_match import KnownMatch
from deidstream.models.phi.known.name_matches import find_names
from deidstream.models.phi.known.number_parts import StatedNumbers, find_number_parts
from deidstream.models.phi.known.placeholders import drop_placeholders
from deidstream.models.phi.known.stated_addresses import StatedAddresses
from deidstream.models.phi.known.stated_names import StatedNames, WordSort
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote


def find_parts(note: RawNote) -> list[KnownMatch]:
    """Find parts of the addresses and numbers of a note's ``known`` block, and of its own ids.

    The same words and digits occur by chance too, so that none of the matches is exact.
    """
    known = drop_placeholders(note.known)
    found: list[KnownMatch] = []
    if known.addresses:
        stated = StatedAddresses.of_addresses(known.addresses)
        found += find_addresses(WrittenText.of_text(note.text), stated)
    numbers = (
        (PhiLabel.MEDICALRECORD, note.patient_id),
        *((PhiLabel.PHONE, phone) for phone in known.phones),
        *((PhiLabel.IDNUM, number) for number in known.identifiers),
    )
    found += find_number_parts(note.text, StatedNumbers.of_numbers(numbers))
    return found


def find_stated_names(text: str, known: KnownIdentifiers) -> list[KnownMatch]:
    """Find the names of the ``known`` block of a note in a text.

    Args:
        text: The note, or its output.
        known: The block of the note.
    """
    known = drop_placeholders(known)
    named = [
        *((PhiLabel.PATIENT, name) for name in known.names),
        *((PhiLabel.DOCTOR, name) for name in known.staff),
    ]
    if not named:
        return []
    stated, written = StatedNames.of_names(named), WrittenText.of_text(text)
    names = find_names(written, stated)
    found = sorted((*names, *find_initials(written, stated, names)))
    return [
        KnownMatch(
            one.start,
            one.end,
            PhiLabel.USERNAME if one.login else stated.label_of(one.persons),
            one.sort is not WordSort.SIMILAR,
        )
        for one in found
    ]
