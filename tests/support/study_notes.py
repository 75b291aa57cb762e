"""Builders of the notes and outputs of a study; everything in them is invented."""

from collections.abc import Sequence

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.measures.measure import Judged
from deidstream.study.techniques.technique import Output, StudyNote


def study_note(
    text: str,
    *found: tuple[str, PhiLabel],
    number: int = 0,
    kind: str = "",
    fold: int = 0,
    subkind: str = "",
) -> StudyNote:
    """A note, with the first place of each text that is named as an identifier."""
    places = ((text.index(words), words, label) for words, label in found)
    spans = sorted(Span(start, start + len(words), label) for start, words, label in places)
    raw = RawNote(f"note-{number}", f"P{number}", text)
    return StudyNote(LabelledNote(raw, tuple(spans)), kind, fold, subkind)


def judged(notes: Sequence[StudyNote], *outputs: str) -> Judged:
    """Each output is of the note of its place."""
    return Judged(notes, [Output(text, number) for number, text in enumerate(outputs)])
