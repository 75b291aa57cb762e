"""The elements of FHIR resources that may stay, and how each is treated."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel

_RESOURCE = "resource "


@dataclass(frozen=True, slots=True)
class ElementRule:
    """How one element is treated."""

    name: str
    kind: str
    """A way of the list's head, a section of it, or a data type."""
    label: PhiLabel | None = None


@dataclass(frozen=True, slots=True)
class ElementTable:
    """``models/data/fhir.elements.txt``."""

    sections: Mapping[str, tuple[ElementRule, ...]]
    """By resource type, backbone element or data type: elements in the order of the list."""
    resource_types: frozenset[str]


@cache
def element_table() -> ElementTable:
    """Read the table, once."""
    sections: dict[str, tuple[ElementRule, ...]] = {}
    resource_types: set[str] = set()
    name = ""
    for line in lines("fhir.elements.txt"):
        if line.startswith("["):
            name = line.strip("[]").removeprefix(_RESOURCE)
            sections[name] = ()
            if line.startswith(f"[{_RESOURCE}"):
                resource_types.add(name)
        else:
            sections[name] += (_read_rule(line),)
    common = sections.pop("Resource")
    for resource_type in resource_types:
        sections[resource_type] = common + sections[resource_type]
    return ElementTable(MappingProxyType(sections), frozenset(resource_types))


def _read_rule(line: str) -> ElementRule:
    name, kind, *label = line.split()
    return ElementRule(name, kind, PhiLabel(label[0]) if label else None)
