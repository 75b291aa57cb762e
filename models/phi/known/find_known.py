"""Find in a text what a message states of its patient and of those beside the patient."""

from deidstream.models.phi.known.address_matches import find_addresses
from deidstream.models.phi.known.initials_alone import find_initials
from deidstream.models.phi.known.known_match import KnownMatch
from deidstream.models.phi.known.name_matches import find_names
from deidstream.models.phi.known.stated_addresses import StatedAddresses
from deidstream.models.phi.known.stated_names import StatedNames, WordSort
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers


def find_resembling(text: str, known: KnownIdentifiers) -> list[KnownMatch]:
    """Find parts and other forms of the addresses and numbers of the ``known`` block.

    They have the form of what is stated by chance too, so that none of them is exact.
    """
    if not known.addresses:
        return []
    written = WrittenText.of_text(text)
    return find_addresses(written, StatedAddresses.of_addresses(known.addresses))


def find_stated_names(text: str, known: KnownIdentifiers) -> list[KnownMatch]:
    """Find the names of the ``known`` block of a note in a text.

    Args:
        text: The note, or its output.
        known: The block of the note.
    """
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
