"""Read notes and dialogues whose patient and doctor are named beside the text."""

from collections.abc import Iterator, Mapping

import re2

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import TemplateSlot
from deidstream.study.corpus.prose.layout import PlacedSlot
from deidstream.study.corpus.prose.prose import Passage, ProseReader
from deidstream.study.corpus.prose.rows import Row, read_source_rows
from deidstream.study.corpus.sources import NameSource

_SPOKEN_TITLE = re2.compile(
    r"\b(?:doctor|dr\.?|mister|missus|miss|mr\.?|mrs\.?|ms\.?|nurse|named?) ([a-z]+)"
)
_WORD = re2.compile(r"[a-z]+")
_LONG = 3


def read_named_people(name: str, source: NameSource, reading: ProseReader) -> Iterator[Passage]:
    """Yield the texts of each line, with the names of its patient and doctor as slots.

    Args:
        name: Name of the source.
        source: Its declaration.
        reading: Reads the texts.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line lacks a field.
    """
    for row in read_source_rows(source):
        names = _names_of(row, source)
        if any(each in reading.finder.vocabulary.lower for each in names):
            continue
        for written in map(row.text, source.text):
            yield reading.passage(name, written, tuple(_find_names(written, names, "")))
        for spoken in map(row.text, source.spoken):
            known = tuple(_find_names(spoken, names, "_lower"))
            doubts = tuple(_find_possible_names(reading, spoken, known))
            yield reading.passage(name, spoken, known, doubts)


def _names_of(row: Row, source: NameSource) -> dict[str, TemplateSlot]:
    """The lower-case names of the patient and the doctor, and the slot of each."""
    first, last = row.text(source.patient_first), row.text(source.patient_last)
    doctor = row.text(source.doctor).removeprefix("Dr. ").split() if source.doctor else []
    said = {
        first.casefold(): TemplateSlot(PhiLabel.PATIENT, "PATIENT", "", "first"),
        last.casefold(): TemplateSlot(PhiLabel.PATIENT, "PATIENT", "", "last"),
    }
    if doctor:
        said[doctor[-1].casefold()] = TemplateSlot(PhiLabel.DOCTOR, "DOCTOR", "", "last")
    return {name: slot for name, slot in said.items() if name.isalpha()}


def _find_names(text: str, names: Mapping[str, TemplateSlot], case: str) -> Iterator[PlacedSlot]:
    """Yield the names; a first name and the surname after it are one place."""
    folded, skip = text.lower(), -1
    for match in _WORD.finditer(folded):
        slot = names.get(str(match.group()))
        if slot is None or match.start() < skip:
            continue
        end, part = match.end(), slot.part
        follower = _WORD.search(folded, end)
        if part == "first" and follower and follower.start() == end + 1:
            other = names.get(str(follower.group()))
            if other is not None and other.part == "last" and other.label is slot.label:
                end, part = follower.end(), "full"
        skip = end
        cased = case if text[match.start()].islower() else ""
        yield PlacedSlot(
            match.start(), end, TemplateSlot(slot.label, slot.name, slot.which, part + cased)
        )


def _find_possible_names(
    reading: ProseReader, text: str, known: tuple[PlacedSlot, ...]
) -> Iterator[Span]:
    """Yield the words of a dialogue, all in lower case, that may be names."""
    named = {place for held in known for place in range(held.start, held.end)}
    ordinary = reading.finder.vocabulary.lower
    for match in _WORD.finditer(text):
        word = str(match.group())
        if len(word) >= _LONG and word not in ordinary and match.start() not in named:
            yield Span(match.start(), match.end(), PhiLabel.PATIENT)
    for match in _SPOKEN_TITLE.finditer(text):
        if match.start(1) not in named:
            yield Span(match.start(1), match.end(1), PhiLabel.PATIENT)
