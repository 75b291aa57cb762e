"""Read codes, quantities and the elements that two versions of FHIR write differently."""

from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json, JsonNumber
from deidstream.models.messages.fhir.fhir_template import TextSlot
from deidstream.models.messages.fhir.fhir_values import PROFILE, is_code, is_public_system
from deidstream.models.messages.fhir.stated_ages import add_age
from deidstream.models.messages.fhir.walking import (
    COMPLEX,
    PRIMITIVE,
    Walking,
    find_string,
    require_object,
)
from deidstream.models.messages.forms.form_text import require_text, write_heading
from deidstream.models.messages.forms.kept_values import (
    is_in_years,
    is_public_code,
    is_short_number,
    is_unit,
)
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.label import PhiLabel

_OF_PERSONS = ("urn:ietf:rfc:3986", "http://hl7.org/fhir/sid/us-")
"""Begins systems whose codes may name a person: any URI, and numbers of the USA such as the SSN."""
_COMPARATORS = frozenset({"<", "<=", ">=", ">", "ad"})


def add_term(walk: Walking, text: str, heading: str, term: CodedTerm) -> TextSlot | None:
    """Add what a code is called, as text to replace; ``None`` if it has no letter or digit."""
    if not any(map(str.isalnum, text)):
        return None
    return TextSlot(walk.text.add_part(text, write_heading(heading), term=term))


def walk_coding(walk: Walking, _rule: ElementRule, value: Json, heading: str) -> object:
    """Keep the code of a public code system; the display is what the code is called."""
    fields = require_object(value)
    kept: dict[str, object] = {}
    system, code = find_string(fields, "system"), find_string(fields, "code")
    if is_public_system(system) and not system.startswith(_OF_PERSONS):
        kept["system"] = system
        if is_public_code(code):
            kept["code"] = code
    if "display" in fields:
        term = CodedTerm.PUBLIC if "code" in kept else CodedTerm.LOCAL
        shown = add_term(walk, require_text(fields["display"]), heading, term)
        kept |= {} if shown is None else {"display": shown}
    if isinstance(fields.get("userSelected"), bool):
        kept["userSelected"] = fields["userSelected"]
    return kept or COMPLEX


def walk_quantity(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Keep a quantity; one in years, or of an element that is an age, becomes text to replace."""
    fields = require_object(value)
    kept: dict[str, object] = {}
    unit, code = find_string(fields, "unit"), find_string(fields, "code")
    if find_string(fields, "comparator") in _COMPARATORS:
        kept["comparator"] = fields["comparator"]
    number = fields.get("value")
    if isinstance(number, JsonNumber):
        no_unit = not unit and not code
        if is_in_years(code) or is_in_years(unit) or (no_unit and rule.label is PhiLabel.AGE):
            kept["value"] = add_age(walk, number, heading)
        else:
            kept["value"] = number if is_short_number(number.text) else PRIMITIVE
    if is_unit(unit) or is_in_years(unit):
        kept["unit"] = unit
    elif unit:
        shown = add_term(walk, unit, heading, CodedTerm.LOCAL)
        kept |= {} if shown is None else {"unit": shown}
    system = find_string(fields, "system")
    if is_public_system(system) and is_unit(code):
        kept |= {"system": system, "code": code}
    return kept or COMPLEX


def walk_number(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Keep a number that is no age and has no more digits than a measurement."""
    if not isinstance(value, JsonNumber) or not is_short_number(value.text):
        return PRIMITIVE
    return add_age(walk, value, heading) if rule.label is PhiLabel.AGE else value


def walk_canonical(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    """Keep the address of a profile of HL7; those of others may name a hospital."""
    return value if isinstance(value, str) and PROFILE.fullmatch(value) else None


def walk_code_or_concept(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Read a code of R4, or the concept that it is in R5, or the other way round."""
    if isinstance(value, str):
        return value if is_code(value) else PRIMITIVE
    return walk.walk_element(ElementRule(rule.name, "CodeableConcept"), value, heading)


def walk_class(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Read the class of an encounter: a coding in R4, concepts in R5."""
    concept = not {"coding", "text"}.isdisjoint(require_object(value))
    kind = "CodeableConcept" if concept else "Coding"
    return walk.walk_element(ElementRule(rule.name, kind), value, heading)


def walk_reference_or_codeable(
    walk: Walking, rule: ElementRule, value: Json, heading: str
) -> object:
    """Read a reference of R4, or the codeable reference that it is in R5."""
    fields = require_object(value)
    codeable = "concept" in fields or isinstance(fields.get("reference"), dict)
    kind = "CodeableReference" if codeable else "Reference"
    return walk.walk_element(ElementRule(rule.name, kind, rule.label), value, heading)


def walk_context(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Read the context of a document: a backbone element in R4, references in R5."""
    plain = {"reference", "identifier", "display"}.isdisjoint(require_object(value))
    kind = "DocumentReference.context" if plain else "Reference"
    return walk.walk_element(ElementRule(rule.name, kind), value, heading)


def walk_concept_or_codeable(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Read a concept of R4, or the codeable reference that it is in R5."""
    plain = {"concept", "reference"}.isdisjoint(require_object(value))
    kind = "CodeableConcept" if plain else "CodeableReference"
    return walk.walk_element(ElementRule(rule.name, kind), value, heading)


def walk_communication(walk: Walking, rule: ElementRule, value: Json, heading: str) -> object:
    """Read the language of a practitioner: a concept in R4, a backbone element in R5."""
    kind = "Patient.communication" if "language" in require_object(value) else "CodeableConcept"
    return walk.walk_element(ElementRule(rule.name, kind), value, heading)
