"""Read a CDA document as a note: its text, and the form in which it leaves."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import orjson

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.cda_lists import label_number
from deidstream.models.messages.cda.document_walk import walk_document
from deidstream.models.messages.cda.parse_document import V3, parse_document
from deidstream.models.messages.forms.form_text import FormText, StatedPersons
from deidstream.models.messages.forms.time_stamps import write_iso
from deidstream.schemas.documents.note_form import FormKind, NoteForm
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, NoteStatus
from deidstream.schemas.source_version import read_version

_TYPES = {
    "34133-9": "summary of episode",
    "11488-4": "consultation note",
    "18748-4": "diagnostic imaging report",
    "18842-5": "discharge summary",
    "34117-2": "history and physical",
    "11504-8": "operative note",
    "28570-0": "procedure note",
    "11506-3": "progress note",
    "57133-1": "referral note",
    "18761-7": "transfer summary",
    "52521-2": "care plan",
    "51855-5": "patient note",
}
"""What documents are, by their LOINC codes."""
_REPLACES = "RPLC"


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """The fields of the note that a document is; those of a record around it take precedence."""

    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    text: str = field(repr=False)
    form: NoteForm | None
    known: KnownIdentifiers
    note_type: str | None
    language: str | None
    authored_at: str | None = field(repr=False)
    status: NoteStatus | None
    version: int | None
    """Of its set of documents; each may have an id of its own."""
    source_time: str | None = field(repr=False)


def read_document(written: str, stated_status: object = None) -> ReadDocument:
    """Read a document; what takes its note back needs no text.

    Args:
        written: The document in XML.
        stated_status: What the record around it states.

    Raises:
        InvalidNote: It is no document, of several patients, or not well-formed.
        UnscannableAttachment: The text of a file in it cannot be read.
    """
    root = parse_document(written)
    text, stated, form = FormText(), StatedPersons(), None
    if stated_status != NoteStatus.CANCELLED:
        template = walk_document(root, text, stated)
        form = NoteForm(tuple(text.parts), template, orjson.dumps(written), kind=FormKind.DOCUMENT)
    note_id = _name_document(root, written)
    patients = list(_find(root, "recordTarget"))
    if len(patients) > 1:
        raise InvalidNote(Reason.SEVERAL_PATIENTS, NoteField.DOCUMENT)
    made_at = next(
        filter(None, (write_iso(e.get("value", "")) for e in _find(root, "effectiveTime"))), None
    )
    numbers = (read_version(e.get("value")) for e in _find(root, "versionNumber"))
    return ReadDocument(
        note_id=note_id,
        # A document whose patient has no number counts as one of a patient of its own.
        patient_id=next(_number_patient(root), note_id),
        text="".join(text.pieces),
        form=form,
        known=stated.as_known(),
        note_type=next((_TYPES[code] for code in _codes(root) if code in _TYPES), None),
        language=next((e.get("code") for e in _find(root, "languageCode") if e.get("code")), None),
        authored_at=made_at,
        status=_read_status(root),
        version=next((number for number in numbers if number is not None), None),
        source_time=made_at,
    )


def _find(element: Element, *path: str) -> Iterator[Element]:
    """Yield the elements at the end of a path of names."""
    if not path:
        yield element
        return
    for inner in element.iterchildren(f"{{{V3}}}{path[0]}"):
        yield from _find(inner, *path[1:])


def _codes(root: Element) -> Iterator[str]:
    for code in _find(root, "code"):
        yield code.get("code", "")
        for translation in _find(code, "translation"):
            yield translation.get("code", "")


def _name_document(root: Element, written: str) -> str:
    """Return the id of a document as HL7 v2 writes it; a digest stands for one that is missing."""
    return next(
        filter(None, map(_write_id, _find(root, "id"))),
        hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:32],
    )


def _number_patient(root: Element) -> Iterator[str]:
    """Yield the numbers of the patient; those of the state and of insurers come last."""
    ids = [*_find(root, "recordTarget", "patientRole", "id")]
    local = [
        one for one in ids if label_number(one.get("root", "")) in {None, PhiLabel.MEDICALRECORD}
    ]
    numbered = [one for one in local if one.get("extension", "").strip()]
    for one in (*numbered, *local, *ids):
        if written := _write_id(one):
            yield written


def _write_id(element: Element) -> str:
    extension, root = element.get("extension", "").strip(), element.get("root", "").strip()
    return f"{extension}^^^{root}" if extension and root else extension or root


def _read_status(root: Element) -> NoteStatus | None:
    related = _find(root, "relatedDocument")
    replaces = any(one.get("typeCode") == _REPLACES for one in related)
    return NoteStatus.CORRECTED if replaces else None
