"""Find in a text what a message states of its patient and of those beside the patient."""

from typing import NamedTuple

from deidstream.models.phi.known.initials_alone import find_initials
from deidstream.models.phi.known.name_matches import find_names
from deidstream.models.phi.known.stated_names import StatedNames, WordSort
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers


class KnownMatch(NamedTuple):
    """A stretch ``[start, end)`` that a message states, or nearly states."""

    start: int
    end: int
    label: PhiLabel
    exact: bool
    """Whether it is what the message states rather than a form that resembles it."""


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
