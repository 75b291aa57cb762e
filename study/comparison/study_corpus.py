"""Read the notes of a study, with their identifiers, classes and folds.

The notes that come with deidstream have gold spans here. A corpus of a site is read by the reader
of ``deidstream deidentify``; notes without ``spans`` get a head and a signature with invented
identifiers, whose places are then known (``planted``).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

import orjson

from deidstream.agents.note_files.open_notes import Reading, open_notes
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.outcome import Failed
from deidstream.schemas.span import Span
from deidstream.schemas.wire import decode
from deidstream.study.comparison.planted import Planter
from deidstream.study.techniques.technique import StudyNote

FEWEST: Final = 20
"""Notes below which no figure of a study would mean anything."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The notes of a study."""

    title: str
    notes: Sequence[StudyNote] = field(repr=False)
    planted: int
    """Notes whose identifiers were invented and put into them."""
    unread: int = 0
    """Notes that could not be read."""

    @property
    def digest(self) -> str:
        """SHA-256 of the notes, their identifiers, classes of both levels and folds."""
        digest = sha256()
        for note in self.notes:
            spans = [(span.start, span.end, span.label) for span in note.spans]
            digest.update(orjson.dumps([note.text, note.kind, note.subkind, note.fold, spans]))
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ReadNote:
    """A note as it was read."""

    labelled: LabelledNote
    kind: str
    group: str
    """Notes of one group are in one fold."""
    subkind: str = ""


def read_shipped_corpus(folds: int) -> Corpus:
    """Read the notes that come with deidstream, with their gold spans and families of types."""
    samples = files("deidstream.agents") / "data" / "sample_notes.jsonl"
    gold = files("deidstream.study.comparison") / "data" / "sample_gold.jsonl"
    read: list[ReadNote] = []
    pairs = zip(samples.read_bytes().splitlines(), gold.read_bytes().splitlines(), strict=True)
    for line, labels in pairs:
        note, told = decode(line), orjson.loads(labels)
        spans = tuple(Span(start, end, PhiLabel(name)) for start, end, name in told["spans"])
        kind, subkind = told["kind"], note.note_type or ""
        read.append(ReadNote(LabelledNote(note, spans), kind, note.patient_id, subkind))
    return make_corpus("notes that come with deidstream", read, folds)


def read_corpus(path: Path, reading: Reading, folds: int, seed: int) -> Corpus:
    """Read the notes of a site: lines of JSON, CSV, Parquet or a folder of texts.

    The class of a note is its type. Notes of one patient are in one fold.

    Raises:
        MissingArtefact: It cannot be read.
        InvalidSettings: A column is missing.
        Refused: It has too few notes.
    """
    planter, read, unread = Planter(seed), list[ReadNote](), 0
    for given in open_notes(path, reading).read():
        try:
            labelled = _decode(given.message)
        except InvalidNote:
            unread += 1
            continue
        if labelled is None:
            continue
        note = labelled.note
        planted = labelled if labelled.spans else planter.plant(note)
        read.append(ReadNote(planted, note.note_type or "", note.patient_id or note.note_id))
    return make_corpus(path.name, read, folds, planted=planter.notes, unread=unread)


def make_corpus(
    title: str, read: Sequence[ReadNote], folds: int, *, planted: int = 0, unread: int = 0
) -> Corpus:
    """Give each note its fold.

    Raises:
        Refused: There are too few notes.
    """
    if len(read) < FEWEST:
        msg = f"{title}: a study needs at least {FEWEST} notes, and {len(read)} could be read"
        raise Refused(msg)
    groups = sorted({note.group for note in read})
    random.Random(0).shuffle(groups)
    numbers = {group: number % folds for number, group in enumerate(groups)}
    notes = [StudyNote(one.labelled, one.kind, numbers[one.group], one.subkind) for one in read]
    return Corpus(title, notes, planted, unread)


def choose_notes(corpus: Corpus, most: int | None, seed: int) -> Corpus:
    """Return a corpus of at most so many notes, drawn at random, in their order."""
    if most is None or len(corpus.notes) <= most:
        return corpus
    drawn = sorted(random.Random(seed).sample(range(len(corpus.notes)), most))
    planted = min(corpus.planted, most)
    return Corpus(corpus.title, [corpus.notes[n] for n in drawn], planted, corpus.unread)


def _decode(message: bytes | Failed) -> LabelledNote | None:
    """Decode a note; nothing for one that takes another back.

    Raises:
        InvalidNote: It is none.
    """
    if isinstance(message, Failed):
        raise InvalidNote(message.reason)
    if b'"spans"' in message:
        return decode_labelled(message)
    note = decode(message)
    return None if note.cancelled else LabelledNote(note, ())
