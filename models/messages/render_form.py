"""Write the resource or document that a note came as, with the permitted text alone."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from deidstream.models.messages.cda.find_kept import find_kept
from deidstream.models.messages.cda.render_document import render_document
from deidstream.models.messages.cut_text import cut_at_borders
from deidstream.models.messages.fhir.render_resource import render_resource
from deidstream.models.messages.fhir.template_literals import find_literals
from deidstream.models.messages.forms.pseudonyms import Pseudonyms
from deidstream.schemas.documents.note_form import FormKind, NoteForm
from deidstream.schemas.note import RawNote
from deidstream.schemas.permit import EmitPermit

if TYPE_CHECKING:
    from deidstream.models.messages.cda.document_template import Template


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """What a note came as, de-identified."""

    resource: bytes | None = field(default=None, repr=False)
    """In JSON."""
    document: str | None = field(default=None, repr=False)
    """In XML."""


def render_form(
    note: RawNote, permit: EmitPermit, pseudonym: Pseudonyms, masked: Collection[str] = ()
) -> WrittenForm:
    """Return the de-identified resource or document; neither for a note without a form.

    Args:
        note: The note.
        permit: Its text as it may leave.
        pseudonym: Names resources and ids.
        masked: Kept strings and numbers that may not leave after all.

    Raises:
        InvalidSpan: A replaced span crosses a border of the form.
    """
    form = note.form
    if form is None:
        return WrittenForm()
    texts = cut_at_borders(form.parts, permit)
    if form.kind is FormKind.DOCUMENT:
        template = cast("Template", form.template)
        return WrittenForm(document=render_document(template, texts, pseudonym, masked))
    made = render_resource(form.template, texts, pseudonym, note.patient_id, masked)
    return WrittenForm(resource=made)


def find_kept_values(form: NoteForm) -> Iterator[str]:
    """Yield every string and number that came with the form and stays."""
    if form.kind is FormKind.DOCUMENT:
        yield from find_kept(cast("Template", form.template))
    else:
        yield from find_literals(form.template)
