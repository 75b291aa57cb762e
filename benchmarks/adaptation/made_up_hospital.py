"""Write the files of a made-up hospital: staff, wards, numbers of its own, notes, and marks.

    python benchmarks/adaptation/made_up_hospital.py FOLDER [--notes 200] [--marked 60] [--seed 1]

Every name is invented. The hospital writes its numbers, its wards and its staff as no text does
that deidstream learnt from, and has charts and pathways whose names look like those of people.
"""

import argparse
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.schemas.note import RawNote
from deidstream.study.corpus.marked import parse_marked_text

_GIVEN = """Morwen Talan Ysella Perran Jory Demelza Kerensa Cador Loveday Breok Tamsyn Piran Elowen
Gerren Massen Nessa Hedra Ruan Senara Petroc Meraud Denzel Bryluen Colan Wella Eseld Myghal
Rosenwyn"""
_FAMILY = """Trezillah Penquite Chegwidden Nankivell Bolitho Carveth Polglase Trembath Goldsworthy
Keast Roskilly Angwin Tregidga Skewes Vellanoweth Hocking Lanyon Pascoe Retallick Spargo Treweek
Uren Curnow Dunstan Moon Frost Laity Opie Pender Rule"""
_WARDS = """Ptarmigan Lapwing Willow Thessaly Osier Skerry Annet Ruxley Tolverne Harbour Gannel
Kittern"""
GIVEN, FAMILY, WARDS = (tuple(names.split()) for names in (_GIVEN, _FAMILY, _WARDS))
TOWNS = ("Porthmellin", "Sancrow", "Trevarrick Cross", "Goonlaze", "Landithy", "Carnmellow")
STREETS = ("Fore Leat", "Bal Terrace", "Wheal Prosper Row", "Chapel Ope", "Tinners Hill")
SCHOOLS = ("St Breaca Primary", "Goonlaze Academy")
WORK = ("dental nurse", "retired tin assayer", "trawlerman", "school cook", "lighthouse engineer")

# What no reader marks, though it looks like a name or a number.
_FREE = {
    "chart": ("Merlin chart", "Tolgus sheet", "SKIPPER bundle", "Kestle score", "Polmear pathway"),
    "score": ("2/4", "3 of 7", "11/15"),
    "dose": ("40 mg", "5 mL", "1.2 g", "500 micrograms"),
    "lot": ("lot 7714", "ref 20-4", "tray 9"),
}
_FORMS = {
    "ward round": """WR {ward} {bed} // {date}
{pt} {hn} {age}y
seen c {dr}, {ini} scribing
{chart} {score}. {s}
{s} {s}
P: {dose} tds, d/w {ini}, bl {bleep} if worse. {spec} chased
~{badge}""",
    "nursing": """{ward} nights {date}: {ptl} settled by {ini}. {s} {chart} done x2, {score}. \
Obs at {spec} sheet. {fam} rang from {town}, {s}
Handover to Sr {drl} {badge}. {s}""",
    "letter": """[[HOSPITAL|CARROW DEEP INFIRMARY]]   our ref {hn}
{date}

Dear {dr}

re {pt}, {street}, {town}

{s} {s} This {age} year old {job} came to {ward} with us on {date}. {s} The {chart} was {score} \
and {dose} was given. {s}

I have asked {dr} to see {ptl} again on {date}.

{dr} (b.{badge}, bleep {bleep})""",
    "triage": """TRIAGE|{date}|{hn}|{ptr}|{age}|{town}|{chart} {score}|{s}|seen {badge}|\
to {ward} {bed}""",
    "phone": """t/c {date} {ini}: {fam} of {pt} ({hn}) called re {spec}. {s} Works as {job}. \
Advised {dose}. {chart} to be brought. Told {drl} on {ward}. {s} bleep {bleep}""",
    "lab": """SPEC {spec} RCVD {date} FROM {ward}
PT {ptr} NO {hn}
REQ {ini} BLEEP {bleep}
{s}
PHONED TO {drl} {badge}. {chart} {score}""",
}
_SENTENCES = (
    "No pain on movement.",
    "Chest clear, sats 96 on air.",
    "Catheter draining well, 450 mL overnight.",
    "Wound dry; {chart} again tomorrow.",
    "Potassium 3.4, replaced with {dose}.",
    "Mobilised with frame to the bathroom.",
    "{dr} aware and happy.",
    "{ini} to chase the echo.",
    "Bloods under {spec}, phoned by {ini}.",
    "Would like to go back to {town} before the weekend.",
    "Moved from {ward} as bed needed.",
    "Ate half of lunch, nausea better.",
    "Has the {chart} and understands it.",
    "Son at {school} is doing the shopping.",
    "Bleeped {bleep}, no reply; badge {badge} came instead.",
    "Plan unchanged, {score} on the {chart}.",
    "Discussed with {ptl} and {fam}.",
    "Stool chart type 5, {lot} used.",
    "Old notes are filed as {hn}.",
    "Sleeping tablet refused.",
)


@dataclass(frozen=True, slots=True)
class Staff:
    """One of the staff."""

    given: str
    family: str
    badge: str

    @property
    def initials(self) -> str:
        """As they sign: two letters of the family name."""
        return f"{self.given[0]}{self.family[:2].upper()}"


@dataclass(frozen=True, slots=True)
class Patient:
    """One of the patients."""

    patient_id: str
    given: str
    family: str
    number: str
    age: int
    town: str


@dataclass(frozen=True, slots=True)
class Hospital:
    """Staff and patients."""

    staff: Sequence[Staff]
    patients: Sequence[Patient]


def found_hospital(rng: random.Random, patients: int = 80) -> Hospital:
    """Draw staff and patients."""
    pairs = rng.sample([(given, family) for given in GIVEN for family in FAMILY], 36 + patients)
    staff = [Staff(g, f, f"qx{rng.randrange(10**4):04}") for g, f in pairs[:36]]
    made = [
        Patient(
            f"p{at:03}", given, family, _write_number(rng), rng.randrange(2, 97), rng.choice(TOWNS)
        )
        for at, (given, family) in enumerate(pairs[36:])
    ]
    return Hospital(staff, made)


def _write_number(rng: random.Random) -> str:
    return f"CDI/{rng.randrange(9, 26):02}/{rng.randrange(10**5):05}{rng.choice('KLMW')}"


def write_note(
    hospital: Hospital, patient: Patient, rng: random.Random, note_id: str
) -> LabelledNote:
    """Write one note about a patient, with its marks."""
    note_type, form = rng.choice(list(_FORMS.items()))
    while "{s}" in form:
        form = form.replace("{s}", rng.choice(_SENTENCES), 1)
    marked = re.sub(r"\{(\w+)\}", lambda name: _fill(name[1], hospital, patient, rng), form)
    read = parse_marked_text(marked, note_id)
    note = RawNote(note_id, patient.patient_id, read.note.text, note_type=note_type)
    return LabelledNote(note, read.spans)


def _fill(name: str, hospital: Hospital, patient: Patient, rng: random.Random) -> str:
    if name in _FREE:
        return rng.choice(_FREE[name])
    one = rng.choice(hospital.staff)
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(19, 26)
    title = rng.choice(("Dr ", "Mr ", "Miss ", ""))
    values: Mapping[str, tuple[str, str]] = {
        "pt": ("PATIENT", f"{patient.given} {patient.family}"),
        "ptl": ("PATIENT", patient.family),
        "ptr": ("PATIENT", f"{patient.family.upper()} {patient.given.upper()}"),
        "fam": ("PATIENT", f"{rng.choice(GIVEN)}"),
        "dr": ("DOCTOR", f"{one.given} {one.family}"),
        "drl": ("DOCTOR", one.family),
        "ini": ("DOCTOR", one.initials),
        "ward": ("HOSPITAL", rng.choice(WARDS)),
        "bed": ("LOCATION_OTHER", f"b{rng.randrange(1, 29)}"),
        "hn": ("MEDICALRECORD", patient.number),
        "spec": ("IDNUM", f"L:{rng.randrange(10**4):04}-{rng.randrange(10**4):04}"),
        "badge": ("IDNUM", one.badge),
        "bleep": ("PHONE", f"{rng.randrange(2000, 4000)}"),
        "date": ("DATE", rng.choice((f"{day}.{month}.{year}", f"{day:02}-{month:02}-20{year}"))),
        "age": ("AGE", str(patient.age)),
        "town": ("CITY", patient.town),
        "street": ("STREET", f"{rng.randrange(1, 90)} {rng.choice(STREETS)}"),
        "school": ("ORGANIZATION", rng.choice(SCHOOLS)),
        "job": ("PROFESSION", rng.choice(WORK)),
    }
    label, value = values[name]
    lead = title if name == "dr" else ""
    return f"{lead}[[{label}|{value}]]"


def write_files(folder: Path, *, notes: int, marked: int, seed: int) -> None:
    """Write all files.

    They are ``staff.hl7``, ``places.ndjson``, ``numbers.csv``; ``marked.jsonl``, notes of the first
    patients; the notes of the others as ``unmarked.jsonl`` and, with their marks, ``rest.jsonl``.
    """
    rng = random.Random(seed)
    hospital = found_hospital(rng)
    written = [
        write_note(hospital, rng.choice(hospital.patients), rng, f"n{at:04}") for at in range(notes)
    ]
    written.sort(key=lambda one: (one.note.patient_id, one.note.note_id))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "staff.hl7").write_text(write_staff(hospital), encoding="utf-8")
    (folder / "places.ndjson").write_text(write_places(), encoding="utf-8")
    numbers = "".join(f"{one.number}\n" for one in hospital.patients[:30])
    (folder / "numbers.csv").write_text(f"MRN\n{numbers}", encoding="utf-8")
    lines = [encode_labelled(one) + b"\n" for one in written]
    (folder / "marked.jsonl").write_bytes(b"".join(lines[:marked]))
    (folder / "unmarked.jsonl").write_bytes(b"".join(map(write_raw, written[marked:])))
    (folder / "rest.jsonl").write_bytes(b"".join(lines[marked:]))


def write_raw(labelled: LabelledNote) -> bytes:
    """Write a ``notes.raw`` record."""
    note = labelled.note
    record = {
        "schema": 1,
        "note_id": note.note_id,
        "patient_id": note.patient_id,
        "text": note.text,
        "note_type": note.note_type,
    }
    return json.dumps(record).encode() + b"\n"


def write_staff(hospital: Hospital) -> str:
    """Write the staff as an HL7 master file (MFN^M02)."""
    lines = [r"MSH|^~\&|HR|CDI|HUB|CDI|20250101||MFN^M02|1|P|2.5.1", "MFI|PRA||UPD|||NE"]
    for one in hospital.staff:
        lines.append(f"MFE|MAD|||{one.badge}|CWE")
        lines.append(f"STF|{one.badge}|{one.badge}|{one.family}^{one.given}|P")
    return "\r".join(lines) + "\r"


def write_places() -> str:
    """Write wards and towns as FHIR resources."""
    rows: list[dict[str, object]] = []
    rows += [{"resourceType": "Location", "name": ward} for ward in WARDS]
    for town in TOWNS:
        named = {"resourceType": "Organization", "name": "Carrow Deep Infirmary"}
        rows.append({**named, "address": [{"city": town}]})
    return "".join(json.dumps(row) + "\n" for row in rows)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--marked", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    write_files(given.folder, notes=given.notes, marked=given.marked, seed=given.seed)


if __name__ == "__main__":
    main()
