"""Walk through a FHIR resource: make a template of what may stay, and text of what is replaced."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import cast

from deidstream.models.messages.fhir import (
    coded_types,
    document_types,
    fhir_references,
    person_types,
)
from deidstream.models.messages.fhir.element_table import ElementRule, element_table
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.extension_types import (
    extension_rules,
    find_absent_reason,
    place_absent,
    walk_absent_reason,
    walk_extensions,
)
from deidstream.models.messages.fhir.fhir_template import (
    DateSlot,
    IdForm,
    IdSlot,
    MaskedValue,
    TextSlot,
)
from deidstream.models.messages.fhir.fhir_values import TIME, cut_date, is_code
from deidstream.models.messages.fhir.stated_ages import shows_old_birth, states_age
from deidstream.models.messages.fhir.walking import (
    COMPLEX,
    PRIMITIVE,
    Fields,
    Walking,
    find_objects,
    find_string,
    require_object,
)
from deidstream.models.messages.forms.form_text import (
    FormText,
    StatedPersons,
    require_text,
    write_heading,
)
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from deidstream.schemas.label import PhiLabel

_OBSERVATIONS = frozenset({"Observation", "Observation.component"})
Reader = Callable[[Walking, ElementRule, Json, str], object]
"""Reads one value of a data type; ``None``: it is left out."""


@dataclass(slots=True)
class ResourceWalk:
    """One walk through a resource and those inside it."""

    text: FormText = field(default_factory=FormText)
    stated: StatedPersons = field(default_factory=StatedPersons)
    contained: frozenset[str] = frozenset()

    def walk_resource(self, fields: Fields) -> dict[str, object]:
        """Return the template of a resource.

        Raises:
            InvalidNote: Its type is not read, or an element is not of its type.
            UnscannableAttachment: The text of an attachment cannot be read.
        """
        resource_type = require_read_type(fields)
        if shows_old_birth(fields):
            self.stated.dates.append(find_string(fields, "birthDate"))
            fields = {**fields, "birthDate": None, "_birthDate": {"extension": []}}
        self.text.add_line(resource_type)
        around = self.contained
        if "contained" in fields:
            self.contained = _readable_ids(fields)
        template = {"resourceType": resource_type, **self.walk_section(resource_type, fields)}
        self.contained = around
        return template

    def walk_nested(self, fields: Fields) -> dict[str, object] | None:
        """Return the template of a resource inside another; ``None`` if its type is not read."""
        readable = find_string(fields, "resourceType") in element_table().resource_types
        return self.walk_resource(fields) if readable else None

    def walk_section(self, section: str, fields: Fields, heading: str = "") -> dict[str, object]:
        """Return the template of an object, by the elements that a section lists.

        Raises:
            InvalidNote: It has an extension that changes what it says.
        """
        if "modifierExtension" in fields or "implicitRules" in fields:
            raise InvalidNote(Reason.UNSUPPORTED_RESOURCE, NoteField.RESOURCE)
        table = element_table()
        kept: dict[str, object] = {}
        extensions = walk_extensions(self, fields, extension_rules())
        if extensions:
            kept["extension"] = extensions
        for rule in _label_ages(table.sections[section], section, fields):
            above = _choose_heading(rule, section, heading)
            template = self.walk_element(rule, place_absent(fields, rule.name), above)
            if template is not None:
                kept[rule.name] = template
        return kept

    def walk_element(self, rule: ElementRule, value: Json, heading: str) -> object:
        """Return the template of a value, or of each value of a list; ``None`` to leave it out."""
        if not isinstance(value, list):
            return self._walk_one(rule, value, heading)
        items = (self._walk_one(rule, each, heading) for each in cast("list[Json]", value))
        return [item for item in items if item is not None] or None

    def _walk_one(self, rule: ElementRule, value: Json, heading: str) -> object:
        if value is None or isinstance(value, MaskedValue):
            return value
        if reason := find_absent_reason(value):
            return MaskedValue(primitive=False, reason=reason)
        reader = READERS.get(rule.kind)
        if reader is not None:
            return reader(self, rule, value, heading)
        fields = require_object(value)
        return self.walk_section(rule.kind, fields, heading) or COMPLEX


def _choose_heading(rule: ElementRule, section: str, heading: str) -> str:
    """Return the heading of an element: its own within a resource, else that above it."""
    if rule.kind == "Id":
        return section
    if not heading or section in element_table().resource_types:
        return rule.name
    return heading


def require_read_type(fields: Fields) -> str:
    """Return the type of a resource.

    Raises:
        InvalidNote: It is not read.
    """
    resource_type = find_string(fields, "resourceType")
    if resource_type not in element_table().resource_types:
        raise InvalidNote(Reason.UNSUPPORTED_RESOURCE, NoteField.RESOURCE)
    return resource_type


def _label_ages(
    rules: Sequence[ElementRule], section: str, fields: Fields
) -> Sequence[ElementRule]:
    """Label the value of an observation whose code says that it is an age."""
    if section not in _OBSERVATIONS or not states_age(fields.get("code")):
        return rules
    return [
        replace(rule, label=PhiLabel.AGE) if rule.name.startswith("value") else rule
        for rule in rules
    ]


def _readable_ids(fields: Fields) -> frozenset[str]:
    types = element_table().resource_types
    return frozenset(
        find_string(each, "id")
        for each in find_objects(fields, "contained")
        if find_string(each, "resourceType") in types
    )


def _walk_text(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    text = require_text(value)
    if not any(map(str.isalnum, text)):
        return None
    return TextSlot(walk.text.add_part(text, write_heading(heading), rule.label))


def _walk_term(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    return coded_types.add_term(walk, require_text(value), heading, CodedTerm.LOCAL)


def _walk_date(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    cut = cut_date(require_text(value))
    if cut is None:
        return PRIMITIVE
    day, time = cut
    part = walk.text.add_part(day, write_heading(heading), PhiLabel.DATE)
    return DateSlot(part, time, instant=rule.kind == "instant")


def _walk_birthdate(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    cut = cut_date(require_text(value))
    if cut is not None:
        walk.stated.dates.append(cut[0])
    return _walk_date(walk, rule, value, heading)


def _walk_code(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    return value if isinstance(value, str) and is_code(value) else PRIMITIVE


def _walk_boolean(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    return value if isinstance(value, bool) else PRIMITIVE


def _walk_time(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    return value if isinstance(value, str) and TIME.fullmatch(value) else PRIMITIVE


def _walk_contained(walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    """Keep a contained resource; its id counts within the resource around it alone."""
    fields = require_object(value)
    # Resources that are contained side by side refer to each other.
    template = walk.walk_nested(
        {name: each for name, each in fields.items() if name != "contained"}
    )
    local = find_string(fields, "id")
    if template is not None and local:
        template["id"] = IdSlot(local, IdForm.CONTAINED_ID)
    return template


def _walk_inner(walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    return walk.walk_nested(require_object(value))


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "text": _walk_text,
        "term": _walk_term,
        "date": _walk_date,
        "instant": _walk_date,
        "birthdate": _walk_birthdate,
        "code": _walk_code,
        "boolean": _walk_boolean,
        "number": coded_types.walk_number,
        "time": _walk_time,
        "Contained": _walk_contained,
        "Nested": _walk_inner,
        "Id": fhir_references.walk_id,
        "AbsentReason": walk_absent_reason,
        "FullUrl": fhir_references.walk_full_url,
        "RequestUrl": fhir_references.walk_request_url,
        "Reference": fhir_references.walk_reference,
        "Identifier": person_types.walk_identifier,
        "HumanName": person_types.walk_name,
        "ContactPoint": person_types.walk_contact,
        "Address": person_types.walk_address,
        "Country": person_types.walk_country,
        "Attachment": document_types.walk_attachment,
        "Narrative": document_types.walk_narrative,
        "Coding": coded_types.walk_coding,
        "Canonical": coded_types.walk_canonical,
        "Quantity": coded_types.walk_quantity,
        "CodeOrConcept": coded_types.walk_code_or_concept,
        "ClassOfEncounter": coded_types.walk_class,
        "ContextOrReference": coded_types.walk_context,
        "ReferenceOrCodeable": coded_types.walk_reference_or_codeable,
        "ConceptOrCodeable": coded_types.walk_concept_or_codeable,
        "CommunicationOrConcept": coded_types.walk_communication,
    }
)
"""Readers of the kinds that are no sections of the element table, by the kind's name in it."""
