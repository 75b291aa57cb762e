"""Read the data types that name persons, places and numbers of record."""

from typing import cast

from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.extension_types import place_absent
from deidstream.models.messages.fhir.fhir_references import read_target
from deidstream.models.messages.fhir.fhir_template import IdForm, IdSlot, MaskedValue, NameSlot
from deidstream.models.messages.fhir.fhir_values import is_code, is_public_system
from deidstream.models.messages.fhir.walking import (
    COMPLEX,
    Fields,
    Walking,
    find_objects,
    find_string,
    require_object,
)
from deidstream.models.messages.forms.form_text import require_text, write_heading
from deidstream.models.messages.forms.kept_values import COUNTRY_CODE, is_title
from deidstream.schemas.label import PhiLabel

_NUMBERS = {
    "MR": PhiLabel.MEDICALRECORD,
    "MRT": PhiLabel.MEDICALRECORD,
    "SS": PhiLabel.SSN,
    "DL": PhiLabel.LICENSE,
    "NPI": PhiLabel.LICENSE,
    "MD": PhiLabel.LICENSE,
    "AN": PhiLabel.ACCOUNT,
    "MB": PhiLabel.HEALTHPLAN,
    "MC": PhiLabel.HEALTHPLAN,
    "SN": PhiLabel.HEALTHPLAN,
    "NIIP": PhiLabel.HEALTHPLAN,
}
"""By code of HL7 table 0203."""
_SYSTEMS = {
    "http://hl7.org/fhir/sid/us-ssn": PhiLabel.SSN,
    "http://hl7.org/fhir/sid/us-npi": PhiLabel.LICENSE,
    "http://hl7.org/fhir/sid/us-medicare": PhiLabel.HEALTHPLAN,
}
_CONTACTS = {"fax": PhiLabel.FAX, "email": PhiLabel.EMAIL, "url": PhiLabel.URL}


def walk_identifier(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace the value of an identifier; its system stays where it is public."""
    fields = require_object(value)
    kept = walk.walk_section("Identifier", fields, heading)
    system = find_string(fields, "system")
    if is_public_system(system):
        kept["system"] = system
    if "value" in fields:
        number = require_text(fields["value"])
        name = _read_urn(number)
        walk.stated.identifiers.append(number)
        label = _SYSTEMS.get(system) or _label_number(fields)
        shown = name or walk.walk_element(ElementRule("value", "text", label), number, heading)
        kept |= {} if shown is None else {"value": shown}
    assigner = find_objects(fields, "assigner")
    if assigner and "display" in assigner[0]:
        display = ElementRule("display", "text", PhiLabel.HOSPITAL)
        shown = walk.walk_element(display, assigner[0]["display"], "assigner")
        kept |= {} if shown is None else {"assigner": {"display": shown}}
    return kept or COMPLEX


def _read_urn(number: str) -> IdSlot | None:
    """Read ``urn:uuid:…`` or ``urn:oid:…``: the name of a document, which stays one."""
    target = read_target(number)
    if target is None or target.form is not IdForm.UUID:
        return None
    return IdSlot(target.value, target.form)


def _label_number(fields: Fields) -> PhiLabel:
    codes = (
        find_string(coding, "code")
        for kind in find_objects(fields, "type")
        for coding in find_objects(kind, "coding")
    )
    return next((_NUMBERS[code] for code in codes if code in _NUMBERS), PhiLabel.IDNUM)


def walk_name(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Replace a name: its parts in one stretch of the text, so that they agree."""
    fields = require_object(value)
    label = rule.label or PhiLabel.PATIENT
    others: dict[str, object] = {}
    if is_code(find_string(fields, "use")):
        others["use"] = fields["use"]
    for each in ("prefix", "suffix"):
        parts = _read_parts(fields, each)
        titles = [part for part in parts if isinstance(part, MaskedValue) or is_title(part)]
        others |= {each: titles} if titles else {}
    if fields.get("period") is not None:
        others["period"] = walk.walk_element(
            ElementRule("period", "Period"), fields["period"], heading
        )
    for each in ("family", "text"):
        absent = place_absent(fields, each)
        others |= {each: absent} if isinstance(absent, MaskedValue) else {}
    family, parts = _family(fields), _read_parts(fields, "given")
    given = [part for part in parts if isinstance(part, str)]
    whole = find_string(fields, "text")
    _state_name(walk, label, " ".join((*given, family)), whole)
    if _has_letter(whole):
        others["text"] = walk.walk_element(ElementRule("text", "text", label), whole, heading)
    written = ", ".join(filter(None, (family, " ".join(given))))
    if not _has_letter(written):
        unknown = [part for part in parts if isinstance(part, MaskedValue)]
        others |= {"given": unknown} if unknown else {}
        return others or COMPLEX
    part = walk.text.add_part(written, write_heading(heading), label)
    counts = (len(one.split()) if isinstance(one, str) else one for one in parts)
    return NameSlot(part, bool(family), tuple(counts), others)


def _family(fields: Fields) -> str:
    # A comma ends the family name in the text.
    return " ".join(require_text(fields.get("family") or "").replace(",", " ").split())


def _strings(fields: Fields, name: str) -> list[str]:
    return [part for part in _read_parts(fields, name) if isinstance(part, str)]


def _read_parts(fields: Fields, name: str) -> list[str | MaskedValue]:
    """Return the strings of a list that have a character, and the places where one is absent."""
    values = place_absent(fields, name)
    parts: list[str | MaskedValue] = []
    for item in cast("list[Json]", values) if isinstance(values, list) else ():
        if isinstance(item, MaskedValue):
            parts.append(item)
        elif item is not None and (text := " ".join(require_text(item).split())):
            parts.append(text)
    return parts


def _state_name(walk: Walking, label: PhiLabel, *names: str) -> None:
    stated = walk.stated.staff if label is PhiLabel.DOCTOR else walk.stated.names
    stated += [name.strip() for name in names if _has_letter(name)]


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def walk_contact(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace a telephone number, an e-mail address or a URL."""
    fields = require_object(value)
    kept = walk.walk_section("ContactPoint", fields, heading)
    if "value" in fields:
        system = find_string(fields, "system")
        number = require_text(fields["value"])
        label = _CONTACTS.get(system, PhiLabel.PHONE)
        shown = walk.walk_element(ElementRule("value", "text", label), number, heading)
        kept |= {} if shown is None else {"value": shown}
        if label in {PhiLabel.PHONE, PhiLabel.FAX}:
            walk.stated.phones.append(number)
    return kept or COMPLEX


def walk_address(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Replace an address; its street and town are looked for in the whole text."""
    fields = require_object(value)
    places = (*_strings(fields, "line"), find_string(fields, "city"))
    if any(map(_has_letter, places)):
        walk.stated.addresses.append(", ".join(filter(None, places)))
    return walk.walk_section("Address", fields, heading) or COMPLEX


def walk_country(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Keep the code of a country; replace its name."""
    country = require_text(value)
    if COUNTRY_CODE.fullmatch(country):
        return country
    return walk.walk_element(ElementRule(rule.name, "text", PhiLabel.COUNTRY), country, heading)
