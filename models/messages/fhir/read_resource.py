"""Read a FHIR resource as a note: its text, and the form in which it leaves."""

from dataclasses import dataclass, field

from deidstream.models.messages.fhir.exact_json import write_exactly
from deidstream.models.messages.fhir.fhir_subjects import find_patients, name_resource
from deidstream.models.messages.fhir.fhir_values import cut_date
from deidstream.models.messages.fhir.resource_walk import ResourceWalk, require_read_type
from deidstream.models.messages.fhir.walking import Fields, find_objects, find_string
from deidstream.models.messages.forms.form_text import write_heading
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.note_form import NoteForm
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.note import KnownIdentifiers, NoteStatus
from deidstream.schemas.source_version import read_moment, read_version

_WRITTEN_AT = split_list(
    "date effectiveDateTime effectiveInstant issued recordedDate recorded authoredOn timestamp "
    "performedDateTime occurrenceDateTime"
)
_MISTAKES = frozenset({"entered-in-error"})
_CORRECTED = frozenset({"amended", "corrected", "appended"})


@dataclass(frozen=True, slots=True)
class ReadResource:
    """The fields of the note that a resource is; those of a record around it take precedence."""

    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    text: str = field(repr=False)
    form: NoteForm | None
    known: KnownIdentifiers
    note_type: str
    language: str | None
    authored_at: str | None = field(repr=False)
    status: NoteStatus | None
    version: int | None
    source_time: str | None = field(repr=False)


def read_resource(fields: Fields, stated_status: object = None) -> ReadResource:
    """Read a resource; one that takes its note back needs no text, and what it holds is not read.

    Args:
        fields: The resource.
        stated_status: What the record around it states.

    Raises:
        InvalidNote: It is of a type that is not read, of several patients, or not valid.
        UnscannableAttachment: The text of an attachment cannot be read.
    """
    status = _read_status(fields)
    walk, form = ResourceWalk(), None
    if (stated_status or status) == NoteStatus.CANCELLED:
        require_read_type(fields)
    else:
        template = walk.walk_resource(fields)
        form = NoteForm(tuple(walk.text.parts), template, write_exactly(fields))

    def of_meta(name: str) -> list[str]:
        return [find_string(meta, name) for meta in find_objects(fields, "meta")]

    patients = find_patients(fields)
    if len(patients) > 1:
        raise InvalidNote(Reason.SEVERAL_PATIENTS, NoteField.RESOURCE)
    note_id = name_resource(fields)
    # A resource about no patient, such as a practitioner, counts as a patient of its own.
    patient_id = patients[0] if patients else note_id
    return ReadResource(
        note_id=note_id,
        patient_id=patient_id,
        text="".join(walk.text.pieces),
        form=form,
        known=walk.stated.as_known(),
        note_type=write_heading(find_string(fields, "resourceType")).lower(),
        language=find_string(fields, "language") or None,
        authored_at=_find_date(fields),
        status=status,
        version=next((one for one in map(read_version, of_meta("versionId")) if one), None),
        source_time=next(filter(read_moment, of_meta("lastUpdated")), None),
    )


def _find_date(fields: Fields) -> str | None:
    for name in _WRITTEN_AT:
        written = find_string(fields, name)
        if cut_date(written) is not None:
            return written.strip()
    return None


def _read_status(fields: Fields) -> NoteStatus | None:
    stated = {find_string(fields, "status"), find_string(fields, "docStatus")}
    for concept in find_objects(fields, "verificationStatus"):
        stated |= {find_string(coding, "code") for coding in find_objects(concept, "coding")}
    if stated & _MISTAKES:
        return NoteStatus.CANCELLED
    return NoteStatus.CORRECTED if stated & _CORRECTED else None
