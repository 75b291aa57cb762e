"""Declare what the readers of FHIR data types need of the walk through a resource."""

from collections.abc import Mapping
from typing import Protocol, cast

from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.fhir_template import MaskedValue
from deidstream.models.messages.forms.form_text import FormText, StatedPersons
from deidstream.schemas.errors import InvalidNote, NoteField, Reason

PRIMITIVE, COMPLEX = MaskedValue(primitive=True), MaskedValue(primitive=False)
Fields = Mapping[str, Json]


class Walking(Protocol):
    """A walk: it writes the text as it goes."""

    text: FormText
    stated: StatedPersons
    contained: frozenset[str]
    """The ids of the contained resources that stay."""

    def walk_section(self, section: str, fields: Fields, heading: str = "") -> dict[str, object]:
        """Return the template of an object, by the elements that a section lists."""
        ...

    def walk_element(self, rule: ElementRule, value: Json, heading: str) -> object:
        """Return the template of a value, or of each value of a list; ``None`` to leave it out."""
        ...

    def walk_nested(self, fields: Fields) -> dict[str, object] | None:
        """Return the template of a resource inside another; ``None`` if its type is not read."""
        ...


def require_object(value: Json) -> Fields:
    """Return an object.

    Raises:
        InvalidNote: It is something else.
    """
    if not isinstance(value, dict):
        raise InvalidNote(Reason.WRONG_TYPE, NoteField.RESOURCE)
    return cast("Fields", value)


def find_string(fields: Fields, name: str) -> str:
    """Return a string of an object; empty where it has none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def find_objects(fields: Fields, name: str) -> list[Fields]:
    """Return the objects that a list, or one alone, of an object holds."""
    value = fields.get(name)
    items = cast("list[Json]", value) if isinstance(value, list) else [value]
    return [cast("Fields", item) for item in items if isinstance(item, dict)]
