"""A made-up site of a validation: files as ``deidentify`` writes them, leaks in known places, and
readers who overlook a known share of what they should mark."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.runtime.private_files import append_private
from deidstream.agents.settings import KeySettings, Settings
from deidstream.study.validation.make_plan import PlanRequest
from deidstream.study.validation.reading.reading_room import ReadingRoom
from deidstream.study.validation.reading.run_reading import open_room
from deidstream.study.validation.site.population import PopulationFiles
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_folder import ValidationFolder
from deidstream.study.validation.take_sample import take_sample
from support.review_site import PASSWORD

_NAMES = ("Quill", "Foust", "Tsosie", "Oyelaran", "Ibarra", "Kowal", "Nakai", "Brandt")
PLAN = PlanRequest(notes=0.05, readers=("anna", "ben"), adjudicator="cleo", allowed=1, controls=0.2)
"""A claim that a small sample proves."""
LEFT = "Vanterpool"
"""The name that is left in outputs: it stands in no other place."""


@dataclass(slots=True)
class ValidationSite:
    """Files of notes with their outputs, and the folder of a validation."""

    home: Path
    settings: Settings
    files: PopulationFiles
    leaking: frozenset[str] = field(repr=False)
    """Ids of the outputs in which the name is left."""

    @property
    def folder(self) -> ValidationFolder:
        return ValidationFolder(self.home / "validation")

    def open_room(self) -> ReadingRoom:
        """A reading room whose users are those of the plan; all have :data:`PASSWORD`."""
        review = ReviewFolder(self.home / "review")
        review.make()
        plan, users = self.folder.read_plan(), UserFile(review.users)
        for name in (*plan.readers, plan.adjudicator, "rita"):
            users.add(ReviewUser(name or "", ReviewRole.REVIEWER), PASSWORD)
        own = replace(self.settings.review, folder=str(review.path))
        return open_room(self.folder, replace(self.settings, review=own))

    def sample(self) -> list[SampledNote]:
        take_sample(self.folder, self.files, self.settings)
        return self.folder.read_sample()


def make_site(
    home: Path, notes: int = 200, *, leaking: float = 0.0, red: float = 0.1, seed: int = 1
) -> ValidationSite:
    """Write the files of a site.

    Args:
        home: Where to.
        notes: How many.
        leaking: Share of the red notes that leak; of the others a tenth of it does.
        red: Share of the notes that are red.
        seed: Of the notes.
    """
    chance = random.Random(seed)
    lines: dict[str, list[bytes]] = {name: [] for name in ("notes", "outputs", "risk", "audit")}
    left: set[str] = set()
    for number in range(notes):
        level = "red" if chance.random() < red else "green"
        leaks = chance.random() < leaking * (1.0 if level == "red" else 0.1)
        records = _make_note(number, level, chance, leaks=leaks)
        if leaks:
            left.add(records["outputs"]["output_id"])
        for name, record in records.items():
            lines[name].append(orjson.dumps(record))
    home.mkdir(parents=True, exist_ok=True)
    for name, content in lines.items():
        (home / f"{name}.jsonl").write_bytes(b"\n".join(content) + b"\n")
    (home / "root.key").write_text(bytes(range(32)).hex())
    settings = replace(Settings(), key=KeySettings(file=str(home / "root.key")))
    originals, outputs, risk, audit = (home / f"{name}.jsonl" for name in lines)
    files = PopulationFiles(originals, outputs, risk, audit)
    return ValidationSite(home, settings, files, frozenset(left))


def _make_note(number: int, level: str, chance: random.Random, *, leaks: bool) -> dict[str, Any]:
    """Return the records of a note with two names, a date and an age, and perhaps one more name."""
    pieces: list[tuple[str, str, str]] = [
        ("Mr. ", "", ""),
        (chance.choice(_NAMES), "Surro", "PATIENT"),
        (" came on ", "", ""),
        (f"{chance.randint(1, 12):02}/14/2024", "02/02/2023", "DATE"),
        (f" with cough {number}. Age ", "", ""),
        (str(chance.randint(20, 80)), "", "AGE"),
        (". Seen by Dr. ", "", ""),
        (chance.choice(_NAMES), "Gatrol", "DOCTOR"),
        (f". {LEFT} called." if leaks else ". Nobody called.", "", ""),
    ]
    text = output = ""
    replacements: list[dict[str, object]] = []
    for original, surrogate, label in pieces:
        became = surrogate or original
        if label:
            places = {"start": len(text), "end": len(text) + len(original)}
            places |= {"out_start": len(output), "out_end": len(output) + len(became)}
            operator = "surrogate" if surrogate else "keep"
            replacements.append({"label": label, "score": 0.9, "operator": operator, **places})
        text, output = text + original, output + became
    ids = {
        "output_id": f"out{number:05}",
        "note_id": f"pseudo{number:05}",
        "patient_id": f"pp{number // 2:05}",
    }
    pipeline = {"version": "0.1.0", "recognizers": ["rules"], "tagger": None, "key_version": 1}
    made = {
        "policy": {"name": "surrogate", "sha256": "ab" * 32},
        "pipeline": {**pipeline, "mapping": "prf"},
    }
    note = {"note_id": f"n{number}", "patient_id": f"p{number // 2}", "text": text}
    return {
        "notes": note
        | {"note_type": ("progress", "letter")[number % 2], "authored_at": "2024-03-04"},
        "outputs": {"schema": 1, **ids, "text": output, **made},
        "risk": {
            "schema": 1,
            **ids,
            "level": level,
            "measures": {"residual": 0.3 if level == "red" else 0.01},
        },
        "audit": {
            "schema": 1,
            "output_id": ids["output_id"],
            "note_id": f"n{number}",
            "text": output,
            "replacements": replacements,
        },
    }


def read_as(
    site: ValidationSite,
    reader: str,
    notes: Sequence[SampledNote],
    *,
    finds: float = 1.0,
    seed: int = 1,
) -> None:
    """Let a reader mark each leak and each control, or overlook it."""
    chance = random.Random(f"{reader} {seed}")
    for note in notes:
        places = [(span.start, span.end, str(span.label)) for span in note.spans if span.is_control]
        at = note.text.find(LEFT)
        if at >= 0:
            places.append((at, at + len(LEFT), "PATIENT"))
        marks = [
            {"start": start, "end": end, "label": label}
            for start, end, label in places
            if chance.random() < finds
        ]
        record = {"number": note.number, "seconds": 40.0, "marks": marks}
        append_private(site.folder.readings(reader), orjson.dumps(record))


def decide_all(site: ValidationSite, notes: Sequence[SampledNote]) -> None:
    """Let the adjudicator call each leak one."""
    for note in notes:
        at = note.text.find(LEFT)
        if at >= 0:
            place = {"start": at, "end": at + len(LEFT), "label": "PATIENT"}
            record = {"number": note.number, "places": [place]}
            append_private(site.folder.adjudication, orjson.dumps(record))
