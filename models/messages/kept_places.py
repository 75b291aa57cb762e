"""Find where a structured note keeps values as they came, of which no recognizer decides.

Recognizers read the text of a note. What a resource or document keeps beside it is known by its
element alone, and so are the codes in the segments of an HL7 v2 message (``hl7_guard``).
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from deidstream.models.messages.cda.find_kept import find_kept_attributes
from deidstream.models.messages.fhir.template_literals import find_literal_elements
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.phi.hl7.message_grammar import HEADERS
from deidstream.schemas.documents.note_form import FormKind
from deidstream.schemas.note import RawNote

if TYPE_CHECKING:
    from deidstream.models.messages.cda.document_template import Template

_SIGNS_FIELD = 2
"""The last field of a header that holds separators."""


def find_kept_places(note: RawNote) -> Iterator[str]:
    """Yield the place of each value that is kept as it came; a place is no text of the note.

    Places are such as ``FHIR Observation.code.coding.code``, ``CDA code@code``, ``HL7 DG1-3``.
    """
    form = note.form
    if form is not None and form.kind is FormKind.DOCUMENT:
        for name, _ in find_kept_attributes(cast("Template", form.template)):
            yield f"CDA {name}"
    elif form is not None:
        for name, _ in find_literal_elements(form.template):
            yield f"FHIR {name}"
    yield from _find_codes(Hl7Guard.read(note.text))


def _find_codes(guard: Hl7Guard) -> Iterator[str]:
    for value in guard.values:
        if not value.is_code:
            continue
        last = bisect_right(guard.segments, value.place.start, key=attrgetter("start")) - 1
        name = guard.segments[last].name
        if name not in HEADERS or value.place.field > _SIGNS_FIELD:
            yield f"HL7 {name}-{value.place.field}"
