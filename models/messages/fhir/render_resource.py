"""Write a resource again: its template, with the de-identified texts in the slots."""

import base64
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from deidstream.models.messages.cda.render_document import render_document
from deidstream.models.messages.fhir.exact_json import Json, JsonNumber, write_exactly
from deidstream.models.messages.fhir.extension_types import ABSENT_URL
from deidstream.models.messages.fhir.fhir_template import (
    Base64Slot,
    DateSlot,
    DivSlot,
    DocumentSlot,
    IdForm,
    IdSlot,
    MaskedValue,
    NameSlot,
    NumberSlot,
    TextSlot,
)
from deidstream.models.messages.fhir.fhir_values import PART_OF_DATE, WHOLE_DAY
from deidstream.models.messages.fhir.walking import COMPLEX, PRIMITIVE
from deidstream.models.messages.forms.kept_values import NUMBER
from deidstream.models.messages.forms.pseudonyms import Pseudonyms
from deidstream.models.text.html_entities import MARKUP, write_entities

NOWHERE = "https://deidentified.invalid/fhir"
"""Start of absolute URLs of resources, of a host that cannot exist (RFC 2606)."""
_PATIENT = "Patient"
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def render_resource(
    template: object,
    texts: Sequence[str],
    pseudonym: Pseudonyms,
    patient_id: str,
    masked: Collection[str] = (),
) -> bytes:
    """Return the de-identified resource in JSON.

    Args:
        template: That of the resource.
        texts: The de-identified text of each part of the note.
        pseudonym: Names resources.
        patient_id: The id of the note's patient.
        masked: Kept strings and numbers that may not leave after all.
    """
    return write_exactly(
        _Renderer(texts, pseudonym, frozenset(masked), patient_id).render(template)
    )


@dataclass(frozen=True, slots=True)
class _Renderer:
    texts: Sequence[str] = field(repr=False)
    pseudonym: Pseudonyms
    masked: frozenset[str] = field(repr=False)
    patient_id: str = field(repr=False)

    def render(self, template: object) -> Json:
        """Return JSON, or the ``MaskedValue`` where a primitive is masked."""
        match template:
            case dict():
                return self._render_object(cast("Mapping[str, object]", template))
            case list():
                return [self.render(item) for item in cast("list[object]", template)] or None
            case str() | JsonNumber():
                written = template if isinstance(template, str) else template.text
                return PRIMITIVE if written in self.masked else template
            case None:
                return None
            case MaskedValue(primitive):
                return template if primitive else _write_absent(template)
            case _:
                return template if isinstance(template, bool) else self._render_slot(template)

    def _render_object(self, template: Mapping[str, object]) -> dict[str, Json]:
        rendered: dict[str, Json] = {}
        for name, value in template.items():
            # The type is one of the table's, so that it is never masked.
            made = value if name == "resourceType" else self.render(value)
            if isinstance(made, MaskedValue):
                rendered[f"_{name}"] = _write_absent(made)
            elif isinstance(made, list):
                rendered |= _write_list(name, cast("list[Json]", made))
            elif made is not None:
                rendered[name] = made
        return rendered or _write_absent(COMPLEX)

    def _render_slot(self, slot: object) -> Json:
        match slot:
            case TextSlot(part):
                return self.texts[part] if self.texts[part].strip() else PRIMITIVE
            case Base64Slot() | DocumentSlot():
                return base64.b64encode(self._render_file(slot).encode()).decode()
            case DivSlot(pieces):
                spellings = {**MARKUP, ">": "&gt;", **slot.spellings}
                return "".join(self._render_piece(piece, spellings) for piece in pieces)
            case NameSlot():
                return self._render_name(slot)
            case DateSlot() | NumberSlot():
                return _render_typed(slot, self.texts[slot.part].strip())
            case IdSlot():
                return self._render_id(slot)
            case _:
                raise TypeError

    def _render_file(self, slot: Base64Slot | DocumentSlot) -> str:
        if isinstance(slot, Base64Slot):
            return self.texts[slot.part]
        return render_document(slot.template, self.texts, self.pseudonym, self.masked)

    def _render_piece(self, piece: str | int, spellings: Mapping[str, str]) -> str:
        if isinstance(piece, str):
            return piece
        return write_entities(_NOT_XML.sub("", self.texts[piece]), spellings)

    def _render_name(self, slot: NameSlot) -> dict[str, Json]:
        """Cut a name into its parts; what is no name any more becomes its ``text``."""
        others = self._render_object(slot.others) if slot.others else {}
        written = self.texts[slot.part]
        family, comma, given = written.partition(", ")
        if not slot.family:
            family, given = "", written
        elif bool(comma) != any(isinstance(words, int) for words in slot.given):
            return others | {"text": written}
        parts: dict[str, Json] = {"family": family} if family else {}
        return others | parts | _write_list("given", _share_out(given, slot.given))

    def _render_id(self, slot: IdSlot) -> str:
        of_patient = slot.resource_type == _PATIENT or slot.value == self.patient_id
        if slot.form in {IdForm.CONTAINED, IdForm.CONTAINED_ID}:
            local = self.pseudonym(f"#{slot.value}", of_patient=False)
            return f"#{local}" if slot.form is IdForm.CONTAINED else local
        name = self.pseudonym(slot.value, of_patient=of_patient)
        if slot.form is IdForm.UUID:
            return f"urn:uuid:{name[:8]}-{name[8:12]}-{name[12:16]}-{name[16:20]}-{name[20:]}"
        if slot.form is IdForm.ID:
            return name
        relative = f"{slot.resource_type}/{name}"
        return f"{NOWHERE}/{relative}" if slot.form is IdForm.FULL_URL else relative


def _write_absent(masked: MaskedValue) -> dict[str, Json]:
    """Return the object in the place of a value that may not leave."""
    return {"extension": [{"url": ABSENT_URL, "valueCode": masked.reason}]}


def _render_typed(slot: DateSlot | NumberSlot, text: str) -> Json:
    """Return a text as a date or a number, if it still is one."""
    if isinstance(slot, NumberSlot):
        return JsonNumber(text) if NUMBER.fullmatch(text) else PRIMITIVE
    if WHOLE_DAY.fullmatch(text):
        return text + slot.time
    # The standard has no time without a day.
    return text if PART_OF_DATE.fullmatch(text) and not slot.instant else PRIMITIVE


def _write_list(name: str, items: Sequence[Json]) -> dict[str, Json]:
    """Return a list, and beside it why values of it are absent, each at its place."""
    values = [None if isinstance(item, MaskedValue) else item for item in items]
    absent = [_write_absent(item) if isinstance(item, MaskedValue) else None for item in items]
    written: dict[str, Json] = {}
    if any(value is not None for value in values):
        written[name] = list[Json](values)
    if any(absent):
        written[f"_{name}"] = list[Json](absent)
    return written


def _share_out(given: str, parts: Sequence[int | MaskedValue]) -> list[Json]:
    """Cut given names by the words that each had; the first is all of them if there are others."""
    words = given.split()
    agree = len(words) == sum(part for part in parts if isinstance(part, int))
    names: list[Json] = []
    for part in parts:
        if isinstance(part, MaskedValue):
            names.append(part)
        elif words:
            taken = part if agree else len(words)
            names.append(" ".join(words[:taken]))
            words = words[taken:]
    return names
