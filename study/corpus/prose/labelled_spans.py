"""Read texts with labelled spans, where a label surely means one of ours."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.schemas.label import PERSONS, PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import ALWAYS_NEW, TemplateSlot
from deidstream.study.corpus.prose.doubts import fold_word, gazetteer
from deidstream.study.corpus.prose.layout import PlacedSlot
from deidstream.study.corpus.prose.prose import Passage, ProseReader
from deidstream.study.corpus.prose.rows import Row, read_source_rows
from deidstream.study.corpus.sources import NO_PHI, PERSON, PLACE, SpanSource

_HOSPITAL = re2.compile(r"(?i)\b(?:hospital|clinic|medical cent(?:er|re)|infirmary)\b")
_TITLE = re2.compile(r"(?:\bDr\.?|\bDoctor) $")
_BY = re2.compile(r"(?i)\b(?:by|with|of|surgeon|physician|provider) $")
_BEFORE = 12
_KINDS = (
    (Kind.COUNTRY, PhiLabel.COUNTRY),
    (Kind.STATE, PhiLabel.STATE),
    (Kind.CITY, PhiLabel.CITY),
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A labelled place of a text."""

    start: int
    end: int
    meaning: str
    """Empty if unsure."""


def read_labelled_spans(name: str, source: SpanSource, reading: ProseReader) -> Iterator[Passage]:
    """Yield the sentences in which all labels are sure, a passage for each text.

    Args:
        name: Name of the source.
        source: Its declaration.
        reading: Reads the texts.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A line lacks a field, or its spans do not fit its text.
    """
    for row in read_source_rows(source):
        text = row.text(source.text)
        known, doubts = list[PlacedSlot](), list[Span]()
        for place in _read_spans(row, source, len(text)):
            slot = _slot(text, place)
            if slot is not None:
                known.append(PlacedSlot(place.start, place.end, slot))
            elif place.meaning != NO_PHI:
                doubts.append(Span(place.start, place.end, PhiLabel.IDNUM))
        if known or not source.only_labelled:
            yield reading.passage(name, text, tuple(known), tuple(doubts))


def _read_spans(row: Row, source: SpanSource, length: int) -> list[_Labelled]:
    """Return the spans of a line, sorted and disjoint."""
    spans = row.find(source.spans)
    if not isinstance(spans, list):
        row.refuse(f"the field {source.spans} must be a list of spans")
    found = list[_Labelled]()
    for span in cast("list[object]", spans):
        fields = cast("Mapping[str, object]", span) if isinstance(span, dict) else {}
        start, end, label = (fields.get(key) for key in (source.start, source.end, source.label))
        if not isinstance(start, int) or not isinstance(end, int) or not isinstance(label, str):
            named = f"{source.start}, {source.end} and {source.label}"
            row.refuse(f"a span must have {named}: two whole numbers and a string")
        found.append(_Labelled(start, end, source.labels.get(label, "")))
    found.sort(key=lambda span: (span.start, span.end))
    within = all(0 <= span.start < span.end <= length for span in found)
    if not within or any(one.end > other.start for one, other in pairwise(found)):
        row.refuse("spans overlap, are empty or reach beyond the text")
    return found


def _slot(text: str, place: _Labelled) -> TemplateSlot | None:
    """Return the slot of a span; ``None`` if unsure or no PHI."""
    said, before = text[place.start : place.end], text[max(0, place.start - _BEFORE) : place.start]
    if place.meaning in {"", NO_PHI} or not any(map(str.isalnum, said)):
        return None
    if place.meaning == PLACE:
        return _place(said)
    if place.meaning in {PERSON, *PERSONS}:
        return _person(place.meaning, before, said)
    label = PhiLabel(place.meaning)
    given = said if label in (PhiLabel.DATE, PhiLabel.AGE) else ""
    return TemplateSlot(label, label, ALWAYS_NEW, "", given)


def _person(meaning: str, before: str, name: str) -> TemplateSlot | None:
    titled = bool(_TITLE.search(before))
    if meaning == PERSON:
        if _BY.search(before):
            return None
        meaning = PhiLabel.DOCTOR if titled else PhiLabel.PATIENT
    if not name.replace(" ", "").replace("-", "").isalpha():
        return None
    if meaning == PhiLabel.PATIENT:
        part = "full" if " " in name else "first"
        return TemplateSlot(PhiLabel.PATIENT, "PATIENT", ALWAYS_NEW, part)
    part = "titled" if titled else "full" if " " in name else "last"
    return TemplateSlot(PhiLabel.DOCTOR, "DOCTOR", ALWAYS_NEW, part)


def _place(name: str) -> TemplateSlot | None:
    if _HOSPITAL.search(name) and "," not in name:
        return TemplateSlot(PhiLabel.HOSPITAL, "HOSPITAL", ALWAYS_NEW)
    kinds = gazetteer().get(fold_word(name), 0)
    found = [label for kind, label in _KINDS if kinds & kind]
    return TemplateSlot(found[0], found[0], ALWAYS_NEW) if len(found) == 1 else None
