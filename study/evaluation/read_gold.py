"""Read the two sides of an evaluation: labelled notes, and spans predicted for them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import cast

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.schemas.errors import (
    InvalidNote,
    InvalidSpan,
    MissingArtefact,
    Reason,
    Stage,
)
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.labelled import LabelledNote, decode_labelled, read_label
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.schemas.wire import decode

PREDICTIONS = "predictions"
"""Name of the spans from a file beside those of recognizers."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file or table that figures were computed from."""

    name: str
    """Without its folder."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predicted spans by note id."""

    artefact: Artefact
    spans: Mapping[str, tuple[Span, ...]] = field(repr=False)
    unreadable: Mapping[str, int]
    """Lines that could not be read, by reason."""

    def find(self, notes: Sequence[RawNote]) -> Mapping[str, list[tuple[Span, ...]]]:
        """Return the spans of each note, in order; none for a note that the file does not name.

        Raises:
            InvalidSpan: A span ends after its note.
        """
        found = [self.spans.get(note.note_id, ()) for note in notes]
        for note, spans in zip(notes, found, strict=True):
            if any(span.end > len(note.text) for span in spans):
                raise InvalidSpan(Stage.DETECT)
        return {PREDICTIONS: found}


def identify(path: Path) -> Artefact:
    """Name a file, or the folder of a table, by its digest.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    try:
        if not path.is_dir():
            return Artefact(path.name, _digest(path))
        files = sorted(each for each in path.rglob("*") if each.is_file())
        listed = [(each.relative_to(path).as_posix(), _digest(each)) for each in files]
        return Artefact(path.name, sha256(orjson.dumps(listed)).hexdigest())
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def read_gold(line: bytes, labels: Mapping[str, PhiLabel] = OF_I2B2) -> LabelledNote:
    """Read one labelled note, with what its sender knows of the patient if the line says so.

    Args:
        line: A line of JSON.
        labels: Those of the policy, by name.

    Raises:
        InvalidNote: It is not such a record.
    """
    labelled = decode_labelled(line, labels)
    if b'"known"' not in line:
        return labelled
    known = decode(line, limit_bytes=len(line)).known
    return replace(labelled, note=replace(labelled.note, known=known))


def read_predictions(path: Path) -> Predictions:
    """Read lines ``{note_id, spans: [{start, end, label}]}``, such as ``deidstream detect`` writes.

    Spans of lines with the same id add up. A label may be written with ``-`` and under
    the key ``type``; it must be one of the 28, or
    ``like`` must say which of them it is like.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    artefact = identify(path)
    spans: dict[str, tuple[Span, ...]] = defaultdict(tuple)
    unreadable = Counter[str]()
    for _, line in read_lines(path):
        try:
            note_id, predicted = _read_prediction(line)
            spans[note_id] += predicted
        except InvalidNote as invalid:
            unreadable[invalid.reason] += 1
    return Predictions(artefact, dict(spans), unreadable)


def _read_prediction(line: bytes) -> tuple[str, tuple[Span, ...]]:
    try:
        fields = orjson.loads(line)
        return str(fields["note_id"]), tuple(_spans(fields["spans"]))
    except orjson.JSONDecodeError:
        raise InvalidNote(Reason.BAD_JSON) from None
    except KeyError:
        raise InvalidNote(Reason.MISSING_FIELD) from None
    except (AttributeError, TypeError, ValueError):
        raise InvalidNote(Reason.WRONG_TYPE) from None


def _spans(records: Sequence[Mapping[str, object]]) -> Iterator[Span]:
    for span in records:
        ends = span["start"], span["end"]
        if not _is_whole(*ends):
            raise TypeError
        label, own = read_label(span, OF_I2B2)
        yield Span(*cast("tuple[int, int]", ends), label, own=own)


def _is_whole(*offsets: object) -> bool:
    return all(type(offset) is int for offset in offsets)
