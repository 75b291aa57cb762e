"""Read labelled sentences of others, where their labels surely mean one of ours."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.models.training.prose.capitalised import gazetteer, plain
from deidstream.models.training.prose.folders import Row, rows, text_of
from deidstream.models.training.prose.layout import Held
from deidstream.models.training.prose.prose import Passage, Reading
from deidstream.models.training.slots import ALWAYS_NEW, Slot
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

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


def read_queries(data: Path, reading: Reading) -> Iterator[Passage]:
    """Yield the sentences all of whose labels are sure, a passage each.

    Raises:
        MissingArtefact: A folder is not there.
    """
    for file in _FILES:
        for row in rows(data, file):
            text = text_of(row, "text")
            said = [(span, _slot(text, span)) for span in _spans(row)]
            doubts = tuple(Span(*_at(span), PhiLabel.IDNUM) for span, slot in said if slot is None)
            known = tuple(Held(*_at(span), slot) for span, slot in said if slot and slot.name)
            if known or file == _CLINICAL:
                yield reading.passage(file.partition("/")[0], text, known, doubts)


def _spans(row: Row) -> list[Row]:
    spans = cast("list[Row]", row["spans"])
    return sorted(spans, key=_at)


def _at(span: Row) -> tuple[int, int]:
    return cast("int", span["start"]), cast("int", span["end"])


def _slot(text: str, span: Row) -> Slot | None:
    """Return the slot of a span, one without a name if it is not marked, none if unsure."""
    label, (start, end) = str(span["label"]), _at(span)
    if label in _UNMARKED:
        return Slot(None, "")
    if label == _NAME:
        return _person(text[max(0, start - 12) : start], text[start:end])
    if label in _PLACES:
        return _place(text[start:end])
    ours = _SURE.get(label)
    if ours is None or not any(map(str.isalnum, text[start:end])):
        return None
    given = text[start:end] if ours in (PhiLabel.DATE, PhiLabel.AGE) else ""
    return Slot(ours, ours, ALWAYS_NEW, "", given)


def _person(before: str, name: str) -> Slot | None:
    if not name.replace(" ", "").replace("-", "").isalpha() or (_BY.search(before)):
        return None
    part = "full" if " " in name else "first"
    if _TITLE.search(before):
        return Slot(PhiLabel.DOCTOR, "DOCTOR", ALWAYS_NEW, "titled")
    return Slot(PhiLabel.PATIENT, "PATIENT", ALWAYS_NEW, part)


def _place(name: str) -> Slot | None:
    if _HOSPITAL.search(name) and "," not in name:
        return Slot(PhiLabel.HOSPITAL, "HOSPITAL", ALWAYS_NEW)
    kinds = gazetteer().get(plain(name), 0)
    found = [label for kind, label in _KINDS if kinds & kind]
    return Slot(found[0], found[0], ALWAYS_NEW) if len(found) == 1 else None
