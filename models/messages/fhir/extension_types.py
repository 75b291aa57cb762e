"""Read the extensions that the list lets pass; others are dropped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from typing import cast

from deidstream.models.messages.fhir.element_table import ElementRule
from deidstream.models.messages.fhir.exact_json import Json
from deidstream.models.messages.fhir.fhir_template import MaskedValue
from deidstream.models.messages.fhir.walking import (
    PRIMITIVE,
    Fields,
    Walking,
    find_objects,
    find_string,
)
from deidstream.models.text.word_files import lines, split_list

ABSENT_URL = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
_REASONS = frozenset(
    split_list(
        "unknown asked-unknown temp-unknown not-asked asked-declined masked not-applicable "
        "unsupported as-text error not-a-number negative-infinity positive-infinity not-performed "
        "not-permitted"
    )
)
"""Source: FHIR R4, code system data-absent-reason."""


@dataclass(frozen=True, slots=True)
class ExtensionRule:
    """How one extension is treated."""

    value: ElementRule | None = None
    inner: dict[str, "ExtensionRule"] = field(default_factory=dict[str, "ExtensionRule"])
    """The extensions in it, by their names."""


@cache
def extension_rules() -> Mapping[str, ExtensionRule]:
    """Read the list of extensions, once: rules by URL."""
    rules: dict[str, ExtensionRule] = {}
    for line in lines("fhir.extensions.txt"):
        url, *inner, name, kind = line.split()
        rule = ExtensionRule(ElementRule(name, kind))
        if inner:
            rules.setdefault(url, ExtensionRule()).inner[inner[0]] = rule
        else:
            rules[url] = rule
    return rules


def walk_extensions(
    walk: Walking, fields: Fields, rules: Mapping[str, ExtensionRule]
) -> list[object]:
    """Return the templates of those extensions of an object that have a rule."""
    made = (_walk_extension(walk, one, rules) for one in find_objects(fields, "extension"))
    return [template for template in made if template is not None]


def _walk_extension(
    walk: Walking, fields: Fields, rules: Mapping[str, ExtensionRule]
) -> dict[str, object] | None:
    url = find_string(fields, "url")
    rule = rules.get(url)
    if rule is None:
        return None
    if rule.value is None:
        inside = walk_extensions(walk, fields, rule.inner)
        return {"url": url, "extension": inside} if inside else None
    if fields.get(rule.value.name) is None:
        return None
    heading = url.rpartition("/")[2].replace("-", " ")
    template = walk.walk_element(rule.value, fields[rule.value.name], heading)
    if template is None or isinstance(template, MaskedValue):
        return None
    return {"url": url, rule.value.name: template}


def walk_absent_reason(_walk: Walking, _rule: ElementRule, value: Json, _heading: str) -> object:
    """Keep a code of the standard for why there is no value."""
    return value if isinstance(value, str) and value in _REASONS else PRIMITIVE


def find_absent_reason(value: Json) -> str | None:
    """Return why an object of extensions alone has no value; ``None`` where none says it."""
    if not isinstance(value, dict) or set(value) - {"extension", "id"}:  # pyright: ignore[reportUnknownArgumentType]
        return None
    for one in find_objects(value, "extension"):  # pyright: ignore[reportUnknownArgumentType]
        if find_string(one, "url") == ABSENT_URL and find_string(one, "valueCode") in _REASONS:
            return find_string(one, "valueCode")
    return None


def place_absent(fields: Fields, name: str) -> Json:
    """Return the value of an element, with what ``_name`` beside it says of values that are absent.

    Of a list, each place that has an extension in the place of its value is a ``MaskedValue``.
    """
    value, beside = fields.get(name), fields.get(f"_{name}")
    if not isinstance(value, list) and not isinstance(beside, list):
        return _mask_absent(value, beside)
    values = cast("list[Json]", value) if isinstance(value, list) else [value]
    extensions = cast("list[Json]", beside) if isinstance(beside, list) else []
    return [_mask_absent(*pair) for pair in zip_longest(values, extensions)]


def _mask_absent(value: Json, beside: Json) -> Json:
    if value is not None or not isinstance(beside, dict) or "extension" not in beside:
        return value
    reason = find_absent_reason(beside)  # pyright: ignore[reportUnknownArgumentType]
    return MaskedValue(primitive=True, reason=reason) if reason else PRIMITIVE
