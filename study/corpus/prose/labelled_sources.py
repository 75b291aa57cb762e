"""Read the sources of real prose that label their own PHI, where a label surely means one of ours.

ACI-BENCH names patient and doctor of each visit, which is there as a note and as it was spoken.
ASQ-PHI and the sentences of presidio-research have spans.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import ALWAYS_NEW, TemplateSlot
from deidstream.study.corpus.prose.doubts import fold_word, gazetteer
from deidstream.study.corpus.prose.layout import PlacedSlot
from deidstream.study.corpus.prose.prose import Passage, ProseReader, Row, rows, text_of

_FILE = "aci_bench/aci_bench_trainvalid.jsonl.xz"
_SPOKEN_TITLE = re2.compile(
    r"\b(?:doctor|dr\.?|mister|missus|miss|mr\.?|mrs\.?|ms\.?|nurse|named?) ([a-z]+)"
)
_WORD = re2.compile(r"[a-z]+")
_LONG = 3


def read_encounters(data: Path, reading: ProseReader) -> Iterator[Passage]:
    """Yield the note and the dialogue of each visit, with the speakers' names as slots.

    Raises:
        MissingArtefact: The folder is not there.
    """
    for row in rows(data, _FILE):
        names = _names_of(row)
        if any(name in reading.finder.vocabulary.lower for name in names):
            continue
        note, dialogue = text_of(row, "note"), text_of(row, "dialogue")
        yield reading.passage("aci_bench", note, tuple(_find_names(note, names, "")))
        known = tuple(_find_names(dialogue, names, "_lower"))
        yield reading.passage(
            "aci_bench", dialogue, known, tuple(_find_possible_names(reading, dialogue, known))
        )


def _names_of(row: Row) -> dict[str, TemplateSlot]:
    """The lower-case names of the patient and the doctor, and the slot of each."""
    meta = cast("Mapping[str, str]", row["meta"])
    first, last = meta["patient_firstname"], meta["patient_familyname"]
    doctor = meta["doctor_name"].removeprefix("Dr. ").split()
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


_CLINICAL = "asq_phi/asq_phi_shared.jsonl"
_FILES = (
    _CLINICAL,
    "presidio_research/synth_dataset_v2.jsonl.xz",
    "presidio_research/generated_large.jsonl.xz",
)
_SURE: Mapping[str, PhiLabel] = {
    "DATE": PhiLabel.DATE,
    "MEDICAL_RECORD_NUMBER": PhiLabel.MEDICALRECORD,
    "HEALTH_PLAN_BENEFICIARY_NUMBER": PhiLabel.HEALTHPLAN,
    "PHONE_NUMBER": PhiLabel.PHONE,
    "FAX_NUMBER": PhiLabel.FAX,
    "SOCIAL_SECURITY_NUMBER": PhiLabel.SSN,
    "US_SSN": PhiLabel.SSN,
    "EMAIL_ADDRESS": PhiLabel.EMAIL,
    "ACCOUNT_NUMBER": PhiLabel.ACCOUNT,
    "IBAN_CODE": PhiLabel.ACCOUNT,
    "CREDIT_CARD": PhiLabel.ACCOUNT,
    "CERTIFICATE_LICENSE_NUMBER": PhiLabel.LICENSE,
    "US_DRIVER_LICENSE": PhiLabel.LICENSE,
    "UNIQUE_IDENTIFIER": PhiLabel.IDNUM,
    "IP_ADDRESS": PhiLabel.IPADDR,
    "ZIP_CODE": PhiLabel.ZIP,
    "DOMAIN_NAME": PhiLabel.URL,
    "AGE": PhiLabel.AGE,
}
# A PERSON of presidio_research may be a band or an author.
_NAME = "NAME"
_PLACES = frozenset({"GEOGRAPHIC_LOCATION", "GPE"})
_UNMARKED = frozenset({"TITLE", "PREFIX", "NRP"})
_HOSPITAL = re2.compile(r"(?i)\b(?:hospital|clinic|medical cent(?:er|re)|infirmary)\b")
_TITLE = re2.compile(r"(?:\bDr\.?|\bDoctor) $")
_BY = re2.compile(r"(?i)\b(?:by|with|of|surgeon|physician|provider) $")
_KINDS = (
    (Kind.COUNTRY, PhiLabel.COUNTRY),
    (Kind.STATE, PhiLabel.STATE),
    (Kind.CITY, PhiLabel.CITY),
)


def read_queries(data: Path, reading: ProseReader) -> Iterator[Passage]:
    """Yield the sentences in which all labels are sure, a passage each.

    Raises:
        MissingArtefact: A folder is not there.
    """
    for file in _FILES:
        for row in rows(data, file):
            text = text_of(row, "text")
            said = [(span, _slot(text, span)) for span in _spans(row)]
            doubts = tuple(Span(*_at(span), PhiLabel.IDNUM) for span, slot in said if slot is None)
            known = tuple(PlacedSlot(*_at(span), slot) for span, slot in said if slot and slot.name)
            if known or file == _CLINICAL:
                yield reading.passage(file.partition("/")[0], text, known, doubts)


def _spans(row: Row) -> list[Row]:
    spans = cast("list[Row]", row["spans"])
    return sorted(spans, key=_at)


def _at(span: Row) -> tuple[int, int]:
    return cast("int", span["start"]), cast("int", span["end"])


def _slot(text: str, span: Row) -> TemplateSlot | None:
    """Return the slot of a span, without a name if not marked; ``None`` if unsure."""
    label, (start, end) = str(span["label"]), _at(span)
    if label in _UNMARKED:
        return TemplateSlot(None, "")
    if label == _NAME:
        return _person(text[max(0, start - 12) : start], text[start:end])
    if label in _PLACES:
        return _place(text[start:end])
    ours = _SURE.get(label)
    if ours is None or not any(map(str.isalnum, text[start:end])):
        return None
    given = text[start:end] if ours in (PhiLabel.DATE, PhiLabel.AGE) else ""
    return TemplateSlot(ours, ours, ALWAYS_NEW, "", given)


def _person(before: str, name: str) -> TemplateSlot | None:
    if not name.replace(" ", "").replace("-", "").isalpha() or (_BY.search(before)):
        return None
    part = "full" if " " in name else "first"
    if _TITLE.search(before):
        return TemplateSlot(PhiLabel.DOCTOR, "DOCTOR", ALWAYS_NEW, "titled")
    return TemplateSlot(PhiLabel.PATIENT, "PATIENT", ALWAYS_NEW, part)


def _place(name: str) -> TemplateSlot | None:
    if _HOSPITAL.search(name) and "," not in name:
        return TemplateSlot(PhiLabel.HOSPITAL, "HOSPITAL", ALWAYS_NEW)
    kinds = gazetteer().get(fold_word(name), 0)
    found = [label for kind, label in _KINDS if kinds & kind]
    return TemplateSlot(found[0], found[0], ALWAYS_NEW) if len(found) == 1 else None
