"""Made-up archives of any size: notes of our own frames, four about each patient.

The people, places and numbers of a patient are drawn once, so that the four notes share them. A
note has a frame of ours and perhaps a sentence: a few hundred characters, dense with identifiers.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.schemas.note import RawNote
from deidstream.study.corpus import frames
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.frames import Draft
from deidstream.study.corpus.inject.cast import Cast
from deidstream.study.corpus.inject.style import sentence_for

NOTES_OF_PATIENT = 4
RULES_ONLY = 'technique = "surrogate"\nrecognizers = ["rules", "dictionary"]\n'
"""A policy without the tagger: some forty times as fast, and no policy for patients."""
_KINDS = ("SOCIAL", "FAMILY", "PLAN", "COURSE", "HISTORY", "")
_ROWS = 5_000
"""Rows of a row group."""


def make_notes(count: int, seed: int = 31) -> Iterator[RawNote]:
    """Yield notes; the same seed gives the same ones."""
    filler = Filler(random.Random(seed), read_lists(None))
    for patient in range(-(-count // NOTES_OF_PATIENT)):
        drawn = random.Random(f"archive:{seed}:{patient}")
        cast = Cast.draw(filler, drawn)
        first = patient * NOTES_OF_PATIENT
        for number in range(first, min(first + NOTES_OF_PATIENT, count)):
            draft = Draft()
            draft.write(drawn.choice(frames.blocks("notes")).pieces, cast)
            if drawn.random() < 1 / 2:
                draft.add("\n")
                draft.write(sentence_for(drawn.choice(_KINDS), drawn).pieces, cast)
            text = "".join(draft.parts)
            yield RawNote(f"note-{number}", f"patient-{patient}", text)


def write_parquet(path: Path, count: int, seed: int = 31) -> int:
    """Write notes as Parquet; return how many characters they have."""
    characters = 0
    notes = make_notes(count, seed)
    schema = pa.schema([(name, pa.string()) for name in ("note_id", "patient_id", "text")])
    with pq.ParquetWriter(path, schema) as writer:
        while some := list(islice(notes, _ROWS)):
            characters += sum(len(note.text) for note in some)
            rows = [
                {"note_id": note.note_id, "patient_id": note.patient_id, "text": note.text}
                for note in some
            ]
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return characters
