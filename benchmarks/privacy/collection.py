"""The notes that the frontier is measured on: MTSamples with identifiers, classes and folds.

Each note gets a head and a signature with invented identifiers, whose places are known. Notes that
resemble each other are in one fold (``group`` of the class files). The pool and the reference notes
of a fold are the notes of the other folds, so no note meets itself; notes that a model is tested on
are in no pool.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.comparison.planted import Planter
from deidstream.study.corpus.prose.layout import lines_of
from deidstream.study.corpus.prose.rows import read_rows

FOLDS = 4
TASKS = {"specialty": "task_specialty.jsonl", "type": "task_note_type.jsonl"}


@dataclass(frozen=True, slots=True)
class CollectedNote:
    """A note with its identifiers; ``classes`` and ``splits`` by the name of the task."""

    note_id: str
    text: str = field(repr=False)
    spans: tuple[Span, ...] = field(repr=False)
    fold: int
    classes: Mapping[str, str]
    splits: Mapping[str, str]

    @property
    def kind(self) -> str:
        """The type that its sender states: the service, or else the sort of document."""
        return next((self.classes[task] for task in TASKS if task in self.classes), "")

    @property
    def redacted(self) -> str:
        """The text with labels in place of its identifiers."""
        parts, end = list[str](), 0
        for span in self.spans:
            parts += [self.text[end : span.start], f"[{span.label}]"]
            end = span.end
        return "".join([*parts, self.text[end:]])


def collect(data: Path, most: int | None = None) -> list[CollectedNote]:
    """Read the notes, in the order of the file; ``most`` of them where it is given."""
    folder = data / "mtsamples"
    rows = {task: _read_task(folder / name) for task, name in TASKS.items()}
    planter = Planter(1)
    notes = read_rows(folder / "mtsamples_shared.jsonl.xz")
    read = [(row.key("id"), lines_of(row.text("text"))) for row in notes][:most]
    folds = _choose_folds([_group(note, rows) for note, _ in read])
    return [
        _collect_note(note, text, fold, rows, planter)
        for (note, text), fold in zip(read, folds, strict=True)
    ]


def _read_task(path: Path) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in map(orjson.loads, path.read_bytes().splitlines())}


def _group(note: str, rows: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    groups = (str(task[note]["group"]) for task in rows.values() if note in task)
    return next(groups, note)


def _choose_folds(groups: Sequence[str]) -> list[int]:
    names = sorted(set(groups))
    random.Random(3).shuffle(names)
    numbers = {name: number % FOLDS for number, name in enumerate(names)}
    return [numbers[group] for group in groups]


def _collect_note(
    note: str,
    text: str,
    fold: int,
    rows: Mapping[str, Mapping[str, Mapping[str, str]]],
    planter: Planter,
) -> CollectedNote:
    planted = planter.plant(RawNote(note, note, text))
    held = {task: row[note] for task, row in rows.items() if note in row}
    return CollectedNote(
        note_id=note,
        text=planted.note.text,
        spans=planted.spans,
        fold=fold,
        classes={task: row["label"] for task, row in held.items()},
        splits={task: row["split"] for task, row in held.items()},
    )


def folds_of(notes: Sequence[CollectedNote]) -> NDArray[np.int64]:
    """Return the fold of each note."""
    return np.array([note.fold for note in notes])
