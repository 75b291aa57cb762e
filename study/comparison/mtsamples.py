"""Read MTSamples: transcribed notes with specialties or types of document, and planted identifiers.

The collection is no part of deidstream. Its class files name near duplicates by group, which are in
one fold. The class of a note is its specialty, or else the sort of document; where it has both, the
sort of document is its class within the specialty.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.study.comparison.planted import Planter
from deidstream.study.comparison.study_corpus import Corpus, ReadNote, make_corpus
from deidstream.study.corpus.prose.layout import lines_of
from deidstream.study.corpus.prose.rows import read_rows

NOTES: Final = "mtsamples_shared.jsonl.xz"
TASKS: Final = ("task_specialty.jsonl", "task_note_type.jsonl")


def read_mtsamples(folder: Path, folds: int, seed: int) -> Corpus:
    """Read the notes, in the order of the file.

    Raises:
        MissingArtefact: The folder does not hold the collection.
    """
    rows = [_read_task(folder / name) for name in TASKS]
    planter, read = Planter(seed), list[ReadNote]()
    for row in read_rows(folder / NOTES):
        name = row.key("id")
        told = [task[name] for task in rows if name in task]
        kind, subkind, *_ = [*(str(task["label"]) for task in told), "", ""]
        group = f"group {told[0]['group']}" if told else name
        # Its own class is not told to the techniques: a site's notes state a type, these do not.
        note = RawNote(name, name, lines_of(row.text("text")))
        read.append(ReadNote(planter.plant(note), kind, group, subkind))
    return make_corpus("MTSamples", read, folds, planted=planter.notes)


def _read_task(path: Path) -> Mapping[str, Mapping[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    return {row["id"]: row for row in map(orjson.loads, lines)}
