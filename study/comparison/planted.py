"""Write a head and a signature with invented identifiers around a note that has no gold spans."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from faker import Faker

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


@dataclass(slots=True)
class _Draft:
    text: str = ""
    spans: list[Span] = field(default_factory=list[Span])

    def add(self, text: str, label: PhiLabel | None = None) -> None:
        if label is not None:
            self.spans.append(Span(len(self.text), len(self.text) + len(text), label))
        self.text += text


class Planter:
    """Plants identifiers; the same seed and order of notes give the same."""

    __slots__ = ("_faker", "notes")

    def __init__(self, seed: int) -> None:
        """Begin with no note."""
        self._faker = Faker("en_US")
        self._faker.seed_instance(seed)
        self.notes = 0
        """Notes that were written to."""

    def plant(self, note: RawNote) -> LabelledNote:
        """Return a note with a head and a signature."""
        self.notes += 1
        draft = _Draft()
        for before, value, label in self._write_head():
            draft.add(before)
            draft.add(value, label)
        draft.add(f"\n\n{note.text}\n\nDictated by: Dr. ")
        draft.add(self._faker.last_name(), PhiLabel.DOCTOR)
        draft.add("\n")
        return LabelledNote(replace(note, text=draft.text), tuple(draft.spans))

    def _write_head(self) -> Iterator[tuple[str, str, PhiLabel]]:
        faker = self._faker
        name = f"{faker.first_name()} {faker.last_name()}"
        yield "Patient: ", name, PhiLabel.PATIENT
        yield "\nMRN: ", str(faker.random_int(10**6, 10**7 - 1)), PhiLabel.MEDICALRECORD
        yield "\nDate of birth: ", faker.date_of_birth().strftime("%m/%d/%Y"), PhiLabel.DATE
        yield "\nSeen on: ", faker.date_between("-5y").strftime("%m/%d/%Y"), PhiLabel.DATE
