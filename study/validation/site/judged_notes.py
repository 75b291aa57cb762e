"""What two readings of a note say together: what leaked, what is disputed, what each reader saw."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.site.readings import AllReadings, Mark, ReadingOfNote, Ruling
from deidstream.study.validation.site.sampled_note import FoundSpan, SampledNote
from deidstream.study.validation.site.validation_plan import CountedKinds, ValidationPlan


@dataclass(frozen=True, slots=True)
class Place:
    """Marks of one or two readers that touch each other."""

    start: int
    end: int
    by: Mapping[str, PhiLabel]
    """The label of each reader that marked it."""
    label: PhiLabel | None
    """What it counts as; ``None``: it is no identifier, or nobody has decided."""
    is_decided: bool
    is_left: bool
    """Whether it stands in the output still."""


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """A note of the sample that all readers have read."""

    note: SampledNote = field(repr=False)
    readings: Mapping[str, ReadingOfNote] = field(repr=False)
    places: tuple[Place, ...]
    """Outside of controls."""
    seen_controls: Mapping[str, frozenset[FoundSpan]] = field(repr=False)
    """By reader, the controls that were marked."""

    @property
    def is_decided(self) -> bool:
        """Whether nothing in it is disputed."""
        return all(place.is_decided for place in self.places)

    @property
    def controls(self) -> tuple[FoundSpan, ...]:
        """The identifiers that readers saw as plain text."""
        return tuple(span for span in self.note.spans if span.is_control)

    def leaks(self, kinds: CountedKinds) -> tuple[Place, ...]:
        """Return the identifiers that are left in the output."""
        return tuple(
            place
            for place in self.places
            if place.label is not None and place.is_left and kinds.covers(place.label)
        )


def judge_note(
    note: SampledNote, readings: Mapping[str, ReadingOfNote], rulings: Sequence[Ruling] | None
) -> JudgedNote:
    """Put the readings of a note together.

    Args:
        note: As it was read.
        readings: Of each reader of the plan.
        rulings: Of the adjudicator, if the note has any.
    """
    controls = [span for span in note.spans if span.is_control]
    seen = {
        reader: frozenset(
            span
            for span in controls
            if any(mark.touches(span.start, span.end) for mark in reading.marks)
        )
        for reader, reading in readings.items()
    }
    left = {reader: tuple(_drop_found(note, one.marks)) for reader, one in readings.items()}
    places = tuple(
        _judge_place(note, marks, len(readings), rulings) for marks in _group_marks(left)
    )
    return JudgedNote(note, readings, places, seen)


def judge_notes(
    notes: Sequence[SampledNote], plan: ValidationPlan, read: AllReadings
) -> dict[int, JudgedNote]:
    """Return the notes that all readers of a plan have read, by number."""
    judged: dict[int, JudgedNote] = {}
    for note in notes:
        own = {
            reader: read.by_reader[reader][note.number]
            for reader in plan.readers
            if note.number in read.by_reader[reader]
        }
        if len(own) == len(plan.readers):
            judged[note.number] = judge_note(note, own, read.rulings.get(note.number))
    return judged


def find_left(note: SampledNote, start: int, end: int) -> list[tuple[int, int]]:
    """Return the pieces of a stretch that were not found and that hold a letter or digit.

    What was found and stays by the policy is no leak: the report lists it apart.
    """
    pieces: list[tuple[int, int]] = []
    at = start
    for span in sorted(note.spans, key=lambda one: one.start):
        if span.end <= at or span.start >= end:
            continue
        pieces.append((at, span.start))
        at = span.end
    pieces.append((at, end))
    return [(a, b) for a, b in pieces if any(map(str.isalnum, note.text[a:b]))]


def _drop_found(note: SampledNote, marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield the marks that name more than what was found, controls among it."""
    for mark in marks:
        if find_left(note, mark.start, mark.end):
            yield mark


def _group_marks(marks: Mapping[str, Sequence[Mark]]) -> Iterator[list[tuple[str, Mark]]]:
    everything = [(reader, mark) for reader, own in marks.items() for mark in own]
    everything.sort(key=lambda item: (item[1].start, item[1].end))
    group: list[tuple[str, Mark]] = []
    end = 0
    for reader, mark in everything:
        if group and mark.start >= end:
            yield group
            group = []
        end = max(end, mark.end) if group else mark.end
        group.append((reader, mark))
    if group:
        yield group


def _judge_place(
    note: SampledNote,
    marks: Sequence[tuple[str, Mark]],
    readers: int,
    rulings: Sequence[Ruling] | None,
) -> Place:
    start, end = min(mark.start for _, mark in marks), max(mark.end for _, mark in marks)
    by = {reader: mark.label for reader, mark in marks}
    # Readers mark "Dr. Kowal" where the name alone was found: somebody has to say what "Dr." is.
    is_partly_found = any(span.start < end and start < span.end for span in note.spans)
    agreed = len(set(by.values())) == 1 and len(by) == readers
    agreed = agreed and (readers == 1 or not is_partly_found)
    ruling = next((one for one in rulings or () if one.start < end and start < one.end), None)
    label = ruling.label if ruling else next(iter(by.values())) if agreed else None
    output = note.output
    is_left = any(note.text[a:b].strip() in output for a, b in find_left(note, start, end))
    return Place(start, end, by, label, bool(ruling) or agreed, is_left)
