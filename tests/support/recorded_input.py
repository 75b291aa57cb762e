"""The recorded input: every note that the project ships, and messages that are hard to read."""

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files as resources
from pathlib import Path

import orjson

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.wire import decode
from deidstream.study.corpus.marked import read_folder

ROOT = Path(__file__).parents[2]

_KNOWN: Mapping[PhiLabel, str] = {
    PhiLabel.PATIENT: "names",
    PhiLabel.MEDICALRECORD: "identifiers",
    PhiLabel.DATE: "dates",
    PhiLabel.PHONE: "phones",
    PhiLabel.STREET: "addresses",
}
_LANGUAGES = (None, "en-US", "en-GB", "de", None, "fr")


def notes() -> list[LabelledNote]:
    """Return every note that the project ships, in a fixed order."""
    sample = resources("deidstream.agents").joinpath("data", "sample_notes.jsonl").read_bytes()
    labelled = [LabelledNote(decode(line), ()) for line in sample.splitlines()]
    labelled += read_folder(ROOT / "benchmarks" / "recognition" / "second_set")
    labelled += read_folder(ROOT / "training" / "notes")
    return [_fill_in(note, number) for number, note in enumerate(labelled)]


def _fill_in(labelled: LabelledNote, number: int) -> LabelledNote:
    """Fill in the optional fields of some notes."""
    note = labelled.note
    note = replace(note, tenant=("default", "mercy", "st.anne", "harbour", "unlisted")[number % 5])
    if number % 2:
        note = replace(note, language=_LANGUAGES[number % len(_LANGUAGES)])
    if number % 3 == 0:
        day = f"20{10 + number % 15}-{1 + number % 12:02}-{1 + number % 28:02}"
        note = replace(note, authored_at=day if number % 2 else f"{day}T08:{number % 60:02}:00Z")
    if number % 4 == 0:
        note = replace(note, known=_known_of(labelled))
    return replace(labelled, note=note)


def _known_of(labelled: LabelledNote) -> KnownIdentifiers:
    found: dict[str, list[str]] = {name: [] for name in _KNOWN.values()}
    for span in labelled.spans:
        if span.label in _KNOWN:
            found[_KNOWN[span.label]].append(labelled.note.text[span.start : span.end])
    return KnownIdentifiers(**{name: tuple(texts[:2]) for name, texts in found.items()})


def bad_messages() -> list[bytes]:
    """Return messages that are not notes, and notes that are hard to read."""
    whole = {"note_id": "b", "patient_id": "p", "text": "Seen by Dr. Okafor on 3/4/24."}
    hidden = (
        "Seen by Dr. Oka\u200bfor on 03/0\u00ad4/2024. "
        "Mr. J\u043ehn Sm\u0456th-\nson. Tel 555-\n0142."
    )
    return [
        b"",
        b"[]",
        b'{"text": "Okafor',
        b'{"text": "Okafor\xff"}',
        orjson.dumps(whole | {"text": " "}),
        orjson.dumps(whole | {"text": "Okafor\0"}),
        orjson.dumps(whole | {"schema": 99}),
        orjson.dumps(whole | {"known": "Okafor"}),
        orjson.dumps(whole | {"note_type": 3}),
        orjson.dumps({"note_id": "b"}),
        orjson.dumps(whole | {"text": hidden}),
        orjson.dumps(whole | {"note_type": "letter to Okafor"}),
        orjson.dumps(whole | {"text": "No PHI here.", "unknown": 1}),
        orjson.dumps(whole | {"text": "word " * 3_000}),
    ]
