"""Read what became of the identifiers of originals: by gold spans, or by the audit of outputs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.study.attacks.aligned_spans import align_spans
from deidstream.study.attacks.runs.attack_notes import AttackFiles, pair_outputs
from deidstream.study.attacks.runs.attack_records import read_note, read_records, wrong_line
from deidstream.study.evaluation.read_gold import read_gold

_LABEL = re.compile(r"\[[A-Z][A-Z0-9_]*\]|XXX-[A-Za-z]+")
"""A label in either style, of the 28 or of a site's own."""


class Fate(StrEnum):
    """What became of an identifier."""

    EXCHANGED = "exchanged"
    """A surrogate stands in its place, or whatever else is no label."""
    KEPT = "kept"
    LABELLED = "labelled"
    """Its label stands in its place, or nothing."""
    LOST = "lost"
    """Unknown: the words beside it are not in the output."""


@dataclass(frozen=True, slots=True)
class ReplacedIdentifier:
    """One identifier of an original."""

    label: PhiLabel
    patient: str = field(repr=False)
    original: str = field(repr=False)
    output: str | None = field(repr=False)
    """What stands in its place; ``None`` where it is unknown."""

    @property
    def fate(self) -> Fate:
        """What became of it."""
        if self.output is None:
            return Fate.LOST
        if self.output == self.original:
            return Fate.KEPT
        return Fate.LABELLED if not self.output or _LABEL.fullmatch(self.output) else Fate.EXCHANGED


def read_by_gold(files: AttackFiles) -> Iterator[ReplacedIdentifier]:
    """Yield what became of each gold span of the originals, in their order.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is no labelled note or no note, or outputs and originals cannot be paired.
    """
    labelled = read_records(files.originals, read_gold, labelled=True)
    outputs = read_records(files.outputs, read_note)
    own = pair_outputs(files, [each.note for each in labelled], outputs)
    with progress() as bar:
        task = bar.add_task("align", total=len(outputs))
        for output, number in zip(outputs, own, strict=True):
            note, spans = labelled[number].note, labelled[number].spans
            aligned = align_spans(note.text, output.text, spans)
            for span, each in zip(spans, aligned, strict=True):
                original = note.text[span.start : span.end] if each is None else each.original
                became = None if each is None else each.output
                yield ReplacedIdentifier(span.label, note.patient_id, original, became)
            bar.advance(task)


def read_by_audit(originals: Path, audit: Path) -> Iterator[ReplacedIdentifier]:
    """Yield what each replacement of an audit replaced, in their order.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line is no note, or no audit of one of the originals.
    """
    notes = {note.note_id: note for note in read_records(originals, read_note)}
    for number, line in read_lines(audit):
        try:
            yield from _read_audit(line, notes)
        except (KeyError, TypeError, ValueError):
            why = f"must be the audit of a note of {originals}: deidentify --audit writes it"
            raise wrong_line(audit, number, why) from None


def _read_audit(line: bytes, notes: Mapping[str, RawNote]) -> list[ReplacedIdentifier]:
    fields: dict[str, Any] = orjson.loads(line)
    note, text = notes[fields["note_id"]], fields["text"]
    return [
        ReplacedIdentifier(
            PhiLabel(each.get("like", each["label"])),
            note.patient_id,
            _cut(note.text, each["start"], each["end"]),
            _cut(text, each["out_start"], each["out_end"]),
        )
        for each in fields["replacements"]
    ]


def _cut(text: str, start: int, end: int) -> str:
    if not 0 <= start <= end <= len(text):
        raise ValueError
    return text[start:end]
