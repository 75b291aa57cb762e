"""Read ACI-BENCH: visits whose patient and doctor are known by name, also as they were spoken."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import re2

from deidstream.models.training.prose.folders import Row, rows, text_of
from deidstream.models.training.prose.layout import Held
from deidstream.models.training.prose.prose import Passage, Reading
from deidstream.models.training.slots import Slot
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

_FILE = "aci_bench/aci_bench_trainvalid.jsonl.xz"
_SPOKEN_TITLE = re2.compile(
    r"\b(?:doctor|dr\.?|mister|missus|miss|mr\.?|mrs\.?|ms\.?|nurse|named?) ([a-z]+)"
)
_WORD = re2.compile(r"[a-z]+")
_LONG = 3


def read_encounters(data: Path, reading: Reading) -> Iterator[Passage]:
    """Yield the note and the dialogue of each visit, the speakers' names as slots.

    Raises:
        MissingArtefact: The folder is not there.
    """
    for row in rows(data, _FILE):
        names = _names(row)
        if any(name in reading.finder.vocabulary.lower for name in names):
            continue
        note, dialogue = text_of(row, "note"), text_of(row, "dialogue")
        yield reading.passage("aci_bench", note, tuple(_places(note, names, "")))
        known = tuple(_places(dialogue, names, "_lower"))
        yield reading.passage(
            "aci_bench", dialogue, known, tuple(_unknown(reading, dialogue, known))
        )


def _names(row: Row) -> dict[str, Slot]:
    """The lower-case names of the patient and the doctor, and the slot of each."""
    meta = cast("Mapping[str, str]", row["meta"])
    first, last = meta["patient_firstname"], meta["patient_familyname"]
    doctor = meta["doctor_name"].removeprefix("Dr. ").split()
    said = {
        first.casefold(): Slot(PhiLabel.PATIENT, "PATIENT", "", "first"),
        last.casefold(): Slot(PhiLabel.PATIENT, "PATIENT", "", "last"),
    }
    if doctor:
        said[doctor[-1].casefold()] = Slot(PhiLabel.DOCTOR, "DOCTOR", "", "last")
    return {name: slot for name, slot in said.items() if name.isalpha()}


def _places(text: str, names: Mapping[str, Slot], case: str) -> Iterator[Held]:
    """Find the names; a first name and the surname behind it are one place."""
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
        yield Held(match.start(), end, Slot(slot.label, slot.name, slot.which, part + cased))


def _unknown(reading: Reading, text: str, known: tuple[Held, ...]) -> Iterator[Span]:
    """Words of a dialogue, all in lower case, that may be names."""
    named = {place for held in known for place in range(held.start, held.end)}
    ordinary = reading.finder.vocabulary.lower
    for match in _WORD.finditer(text):
        word = str(match.group())
        if len(word) >= _LONG and word not in ordinary and match.start() not in named:
            yield Span(match.start(), match.end(), PhiLabel.PATIENT)
    for match in _SPOKEN_TITLE.finditer(text):
        if match.start(1) not in named:
            yield Span(match.start(1), match.end(1), PhiLabel.PATIENT)
