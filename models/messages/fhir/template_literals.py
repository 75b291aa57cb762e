"""Find the strings and numbers that a template keeps as they came."""

from collections.abc import Iterator
from typing import cast

from deidstream.models.messages.cda.find_kept import find_kept
from deidstream.models.messages.fhir.exact_json import JsonNumber
from deidstream.models.messages.fhir.fhir_template import DocumentSlot, NameSlot

_OURS = frozenset({"resourceType", "system", "profile", "url"})
"""Elements whose values come from lists of the standard, or of ours."""


def find_literals(template: object) -> Iterator[str]:
    """Yield every string and number that came with the resource and stays."""
    match template:
        case str() | JsonNumber():
            yield template if isinstance(template, str) else template.text
        case DocumentSlot(document):
            yield from find_kept(document)
        case NameSlot():
            yield from find_literals(template.others)
        case list():
            for item in cast("list[object]", template):
                yield from find_literals(item)
        case dict():
            for name, value in cast("dict[str, object]", template).items():
                yield from () if name in _OURS else find_literals(value)
        case _:
            pass
