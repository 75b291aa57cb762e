"""Read references to other resources, and the ids in them."""

import re
from dataclasses import dataclass, field

from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.fhir_template import IdForm, IdSlot
from deidstream.models.messages.fhir.fhir_values import is_resource_type
from deidstream.models.messages.fhir.walking import (
    COMPLEX,
    PRIMITIVE,
    Fields,
    Walking,
    find_string,
    require_object,
)
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel

_WRITTEN_ID = r"[A-Za-z0-9._~-]{1,255}"
"""Servers write longer ids than the standard has, and other signs: none of them leaves."""
_TYPED = re.compile(
    rf"(?:https?://[^\s?#]{{1,400}}/)?([A-Z][A-Za-z]{{2,40}})/({_WRITTEN_ID})"
    rf"(?:/_history/{_WRITTEN_ID})?"
)
_URN = re.compile(rf"urn:(?:uuid|oid):({_WRITTEN_ID})")
_ID = re.compile(_WRITTEN_ID)
LABELS = {
    **dict.fromkeys(split_list("Patient RelatedPerson"), PhiLabel.PATIENT),
    **dict.fromkeys(split_list("Practitioner PractitionerRole"), PhiLabel.DOCTOR),
    **dict.fromkeys(split_list("Organization Location HealthcareService"), PhiLabel.HOSPITAL),
}
"""What the display of a reference names, by the type of its target."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference points to."""

    value: str = field(repr=False)
    """The id."""
    resource_type: str = ""
    """Empty where the reference does not state it."""
    form: IdForm = IdForm.REFERENCE


def read_target(reference: str) -> Target | None:
    """Read ``Type/id``, an absolute URL that ends so, ``urn:uuid:id`` or ``#id``."""
    typed = _TYPED.fullmatch(reference)
    if typed is not None and is_resource_type(typed[1]):
        return Target(typed[2], typed[1])
    urn = _URN.fullmatch(reference)
    if urn is not None:
        return Target(urn[1], form=IdForm.UUID)
    local = reference.removeprefix("#")
    if local != reference and _ID.fullmatch(local):
        return Target(local, form=IdForm.CONTAINED)
    return None


def walk_reference(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Keep the target of a reference by its pseudonym; its display is a name, or free text."""
    fields = require_object(value)
    target = read_target(find_string(fields, "reference"))
    stated_type = find_string(fields, "type")
    kept: dict[str, object] = {}
    if target is not None and not _is_lost(walk, target):
        kept["reference"] = IdSlot(target.value, target.form, target.resource_type)
    if is_resource_type(stated_type):
        kept["type"] = stated_type
    if fields.get("identifier") is not None:
        identifier = ElementRule("identifier", "Identifier", rule.label)
        kept["identifier"] = walk.walk_element(identifier, fields["identifier"], heading)
    kept |= _walk_display(walk, rule, fields, heading, target)
    return kept or COMPLEX


def _is_lost(walk: Walking, target: Target) -> bool:
    return target.form is IdForm.CONTAINED and target.value not in walk.contained


def _walk_display(
    walk: Walking, rule: ElementRule, fields: Fields, heading: str, target: Target | None
) -> dict[str, object]:
    if fields.get("display") is None:
        return {}
    resource_type = (target.resource_type if target else "") or find_string(fields, "type")
    label = LABELS.get(resource_type) if resource_type else rule.label
    display = ElementRule("display", "text", label)
    shown = walk.walk_element(display, fields["display"], heading)
    return {} if shown is None else {"display": shown}


def walk_id(_walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace the id of a resource by its pseudonym; ``heading`` is the resource's type."""
    if isinstance(value, str) and _ID.fullmatch(value):
        return IdSlot(value, IdForm.ID, heading)
    return None


def walk_full_url(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    """Replace the address of an entry by one of the same kind without its server."""
    target = read_target(value) if isinstance(value, str) else None
    if target is None or target.form is IdForm.CONTAINED:
        return None
    form = IdForm.UUID if target.form is IdForm.UUID else IdForm.FULL_URL
    return IdSlot(target.value, form, target.resource_type)


def walk_request_url(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    """Keep ``Type`` and ``Type/id`` of a request; a search names what it looks for."""
    if not isinstance(value, str):
        return PRIMITIVE
    if is_resource_type(value):
        return value
    target = read_target(value)
    if target is None or not target.resource_type:
        return PRIMITIVE
    return IdSlot(target.value, IdForm.REFERENCE, target.resource_type)
