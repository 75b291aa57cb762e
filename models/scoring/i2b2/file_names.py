"""Names of i2b2 2014 files: ``NNN-NN.xml``, patient and record."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.models.scoring.i2b2.tags import InvalidI2b2
from deidstream.schemas.note import RawNote

_FILE = re.compile(r"([0-9]+)-([0-9]+)(.*)\.xml", re.DOTALL)
_NOTE = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class FileName:
    """The parts of a file name."""

    note_id: str
    patient_id: str
    system: str = ""
    """The part after the record number, which the scripts take for the name of a system."""


def read_name(name: str) -> FileName:
    """Take a file name apart; one of another form names note and patient by all before the dot."""
    match = _FILE.fullmatch(name)
    if match is None:
        stem = name.rpartition(".")[0] or name
        return FileName(stem, stem)
    patient, record, system = match.groups()
    return FileName(f"{patient}-{record}", patient, system)


def name_notes(notes: Sequence[RawNote]) -> tuple[str, ...]:
    """Name the file of each note, in the order of the notes.

    Where every note id has the form ``NNN-NN`` it is the name. Otherwise all notes are numbered:
    patients from 001 and the notes of each from 01, by first appearance; notes without a patient
    are each a patient of their own. The same notes in the same order have the same names.

    Raises:
        InvalidI2b2: Two notes have the same id.
    """
    ids = Counter(note.note_id for note in notes)
    if len(ids) < len(notes):
        msg = "note ids occur more than once: their files cannot be distinguished"
        raise InvalidI2b2(msg)
    if all(_NOTE.fullmatch(note_id) for note_id in ids):
        return tuple(f"{note.note_id}.xml" for note in notes)
    return tuple(_numbered(notes))


def _numbered(notes: Sequence[RawNote]) -> Iterator[str]:
    numbers: dict[tuple[str, str], int] = {}
    records = Counter[int]()
    for note in notes:
        patient = (note.patient_id, "" if note.patient_id else note.note_id)
        number = numbers.setdefault(patient, len(numbers) + 1)
        records[number] += 1
        yield f"{number:03}-{records[number]:02}.xml"
