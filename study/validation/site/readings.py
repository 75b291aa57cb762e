"""What readers marked: offsets and labels by note number, never text; and who decided between them.

A reading is a line of ``readings/NAME.jsonl``::

    {"number": 7, "seconds": 41.5, "marks": [{"start": 120, "end": 131, "label": "PATIENT"}]}

Offsets are code points of the original. A later line of a note stands in place of an earlier one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.validation_folder import ValidationFolder, read_records


@dataclass(frozen=True, slots=True)
class Mark:
    """A place that a reader takes for an identifier that was left."""

    start: int
    end: int
    label: PhiLabel

    def touches(self, start: int, end: int) -> bool:
        """Return whether it has a character of a stretch."""
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class ReadingOfNote:
    """One reader's marks of one note."""

    number: int
    seconds: float
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the adjudicator says of one place."""

    start: int
    end: int
    label: PhiLabel | None
    """``None``: it is no identifier."""


@dataclass(frozen=True, slots=True)
class AllReadings:
    """What was read and decided so far, by note number."""

    by_reader: Mapping[str, Mapping[int, ReadingOfNote]]
    rulings: Mapping[int, tuple[Ruling, ...]]


def read_all(folder: ValidationFolder, readers: tuple[str, ...]) -> AllReadings:
    """Read the marks of all readers, and what was decided between them.

    Raises:
        MissingArtefact: A file cannot be read, or a line is no reading.
    """
    by_reader = {
        reader: {one.number: one for one in _read_reader(folder.readings(reader))}
        for reader in readers
    }
    rulings: dict[int, tuple[Ruling, ...]] = {}
    for record in read_records(folder.adjudication):
        try:
            rulings[int(record["number"])] = tuple(map(_read_ruling, record["places"]))
        except (KeyError, TypeError, ValueError):
            raise _wrong(folder.adjudication) from None
    return AllReadings(by_reader, rulings)


def _read_reader(path: Path) -> Iterator[ReadingOfNote]:
    for record in read_records(path):
        try:
            marks = tuple(
                Mark(int(mark["start"]), int(mark["end"]), PhiLabel(mark["label"]))
                for mark in record["marks"]
            )
            yield ReadingOfNote(int(record["number"]), float(record["seconds"]), marks)
        except (KeyError, TypeError, ValueError):
            raise _wrong(path) from None


def _read_ruling(place: Mapping[str, Any]) -> Ruling:
    label = place["label"]
    return Ruling(int(place["start"]), int(place["end"]), label and PhiLabel(label))


def _wrong(path: Path) -> MissingArtefact:
    return MissingArtefact(f"{path}: a line has not the fields of a reading")
