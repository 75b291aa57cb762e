"""The notes of a bench: those that come with deidstream, or those of a file."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.lines import read_lines
from deidstream.schemas.errors import InvalidNote, MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode, encode_note


def read_bench_notes(path: Path | None, most: int | None = None) -> list[RawNote]:
    """Read the notes of a bench.

    Args:
        path: Records of ``notes.raw``, one a line; without it, the sample notes are taken.
        most: How many of them are taken at most.

    Raises:
        MissingArtefact: The file cannot be read, or has a line that is no note, or none that is.
    """
    notes = list(islice(sample_notes() if path is None else _read_notes(path), most))
    if not notes:
        msg = f"{path}: has no notes"
        raise MissingArtefact(msg)
    return notes


def _read_notes(path: Path) -> list[RawNote]:
    notes: list[RawNote] = []
    for number, line in read_lines(path):
        try:
            notes.append(decode(line))
        except InvalidNote as invalid:
            msg = f"{path}: line {number + 1} is not a note: {invalid.reason}"
            raise MissingArtefact(msg) from None
    return notes


def repeat_notes(notes: Sequence[RawNote], count: int, run: str) -> list[RawNote]:
    """Make ``count`` notes that differ in their ids, and from one turn to the next in patients.

    Texts repeat only after all notes have come, so that a batch smaller than their number has no
    text twice: equal windows of a batch are computed once.
    """
    repeated: list[RawNote] = []
    for number in range(count):
        note, turn = notes[number % len(notes)], number // len(notes)
        patient = f"{run}-{turn}-{note.patient_id}"
        repeated.append(replace(note, note_id=f"{run}-{number}", patient_id=patient))
    return repeated


def cut_groups(notes: Sequence[RawNote], size: int) -> list[list[bytes]]:
    """Write notes as messages, in the groups of ``size`` in which a worker takes them."""
    values = [encode_note(note) for note in notes]
    return [values[start : start + size] for start in range(0, len(values), size)]
