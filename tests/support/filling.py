"""A small source of PHI, and declared sources of prose of our own."""

import json
import lzma
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.frames import TemplateSlot
from deidstream.study.corpus.prose.prose import Passage

NAMES = ("Orla Venn", "Tavish Brook", "Venn", "Mora", "Quill, Ada", "Anselm Dorr")
VALUES: Mapping[PhiLabel, tuple[str, ...]] = {
    PhiLabel.PATIENT: NAMES,
    PhiLabel.DOCTOR: NAMES,
    PhiLabel.DATE: ("3/4/2019", "May", "2011", "4 March 2020", "6/7", "April 2018"),
    PhiLabel.HOSPITAL: ("Elmhurst General Hospital", "4 West"),
    PhiLabel.PHONE: ("555-010-4477", "4471"),
    PhiLabel.SSN: ("900-11-2233", "2233"),
    PhiLabel.AGE: ("45", "60s"),
}


@dataclass(frozen=True, slots=True)
class SmallFilling:
    """Draws from few values; a label without a list of its own is given by name and number."""

    def fill(self, label: PhiLabel, rng: random.Random) -> str:
        values = VALUES.get(label)
        return rng.choice(values) if values else f"{label.value.title()}-{rng.randint(1, 999)}"


def transcription(number: int, *sentences: str) -> dict[str, Any]:
    return {"id": f"m-{number}", "text": " ".join(sentences)}


SOURCES = """
[sources.transcripts]
form = "prose"
path = "transcripts.jsonl.xz"
share = 3
restore_lines = true

[sources.transcripts.splits]
path = ["one_task.jsonl", "other_task.jsonl"]
id = "id"

[sources.dialogs]
form = "prose"
path = "dialogs.jsonl"
share = 1
text = "note"
spoken = "dialogue"
only.split = ["train", "valid"]
apart_from = "transcripts"

[sources.visits]
form = "names"
path = "visits.jsonl"
share = 1
text = "note"
spoken = "dialogue"
patient_first = "meta.first"
patient_last = "meta.last"
doctor = "meta.doctor"

[sources.queries]
form = "spans"
path = "queries.jsonl"
share = 1
label = "label"
labels = { DATE = "DATE", NAME = "person", WHERE = "place", GP = "DOCTOR", TITLE = "no phi" }
"""
"""A source of each form, and one that must be apart from another."""


def write_prose(
    folder: Path,
    transcriptions: Sequence[Mapping[str, Any]],
    splits: Mapping[str, str],
    **others: Sequence[Mapping[str, Any]],
) -> Path:
    """Write ``SOURCES`` and its files, and return its path.

    ``others`` has the lines of ``dialogs``, ``visits``, ``queries`` and ``other_task``.
    """
    tasks = [{"id": note, "label": "x", "split": split} for note, split in splits.items()]
    write_lines(folder / "transcripts.jsonl.xz", transcriptions)
    write_lines(folder / "one_task.jsonl", tasks)
    for name in ("dialogs", "visits", "queries", "other_task"):
        write_lines(folder / f"{name}.jsonl", others.get(name, []))
    file = folder / "sources.toml"
    file.write_text(SOURCES)
    return file


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write JSON lines, packed with xz if the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return path


def show_sentences(passages: Iterable[Passage]) -> list[str]:
    """Return the sentences with their slots as labels, headings in front."""
    return [
        f"{line.heading}> " * bool(line.heading) + "".join(map(_show_piece, sentence))
        for passage in passages
        for line in passage.lines
        for sentence in line.sentences
    ]


def _show_piece(piece: object) -> str:
    return f"[{piece.name}]" if isinstance(piece, TemplateSlot) else str(piece)
