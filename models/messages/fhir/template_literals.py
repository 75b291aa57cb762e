"""Find the strings and numbers that a template keeps as they came."""

from collections.abc import Iterator, Mapping
from typing import cast

from deidstream.models.messages.cda.find_kept import find_kept_attributes
from deidstream.models.messages.fhir.exact_json import JsonNumber
from deidstream.models.messages.fhir.fhir_template import DocumentSlot, NameSlot

_TYPE = "resourceType"
_OURS = frozenset({_TYPE, "system", "profile", "url"})
"""Elements whose values come from lists of the standard, or of ours."""


def find_literals(template: object) -> Iterator[str]:
    """Yield every string and number that came with the resource and stays."""
    yield from (value for _, value in find_literal_elements(template))


def find_literal_elements(template: object, element: str = "") -> Iterator[tuple[str, str]]:
    """Yield what :func:`find_literals` does, each value behind the path of its element."""
    match template:
        case str() | JsonNumber():
            yield element, template if isinstance(template, str) else template.text
        case DocumentSlot(document):
            for name, value in find_kept_attributes(document):
                yield f"{element}.{name}", value
        case NameSlot():
            yield from find_literal_elements(template.others, element)
        case list():
            for item in cast("list[object]", template):
                yield from find_literal_elements(item, element)
        case dict():
            yield from _find_in_members(cast("dict[str, object]", template), element)
        case _:
            pass


def _find_in_members(members: Mapping[str, object], element: str) -> Iterator[tuple[str, str]]:
    path = element or str(members.get(_TYPE, ""))
    for name, value in members.items():
        yield from () if name in _OURS else find_literal_elements(value, f"{path}.{name}")
