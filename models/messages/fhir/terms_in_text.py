"""Find the terms of coded elements in FHIR JSON and C-CDA within a text, whole or torn."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from deidstream.models.messages.fhir.element_table import element_table
from deidstream.models.messages.fhir.fhir_values import is_public_system
from deidstream.models.time_budget import within_time
from deidstream.schemas.documents.note_form import CodedTerm, FormPart

_NAMED = ('"resourceType"', '"coding"', '"valueQuantity"')
"""One of these stands in every resource that has codes or units, and in most pieces of one."""
_BEGINNING = re.compile(r'\{\s*"')
_DISPLAY_NAME = re.compile(r"""\bdisplayName\s{0,4}=\s{0,4}(["'])([^"'<>\n]{1,400})\1""")
"""The term of a code in C-CDA; it is an attribute of no other element."""
_TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}\[\],]')
_CONCEPTS = frozenset(
    {
        "CodeableConcept",
        "ClassOfEncounter",
        "CodeOrConcept",
        "CommunicationOrConcept",
        "ConceptOrCodeable",
    }
)
"""Kinds of the element table whose ``text`` says what a code is called."""
_OFTEN = 64
"""Tokens between two looks at the clock."""


@dataclass(slots=True)
class _Level:
    """An object or a list that is open."""

    element: str
    """The element whose value it is, or one of whose values."""
    is_object: bool
    name: str = ""
    """Of the value that comes next."""
    strings: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Places of the strings in it, by name."""


def find_terms_in_text(text: str) -> Iterator[FormPart]:
    """Yield the place of each display of a coding, text of a concept and unit of a quantity."""
    for found in _DISPLAY_NAME.finditer(text) if "displayName" in text else ():
        yield FormPart(*found.span(2), term=CodedTerm.LOCAL)
    if any(name in text for name in _NAMED):
        yield from _find_json_terms(text)


def _find_json_terms(text: str) -> Iterator[FormPart]:
    at = 0
    while beginning := _BEGINNING.search(text, at):
        levels: list[_Level] = []
        at = len(text)
        for token in within_time(_TOKEN.finditer(text, beginning.start()), every=_OFTEN):
            if token[0] in {"{", "["}:
                element = levels[-1].name or levels[-1].element if levels else ""
                levels.append(_Level(element, token[0] == "{"))
            elif token[0] in {"}", "]"}:
                yield from _find_terms(text, levels.pop())
                if not levels:
                    at = token.end()
                    break
            else:
                _read_token(levels[-1], token)
        for level in levels:
            yield from _find_terms(text, level)


def _read_token(level: _Level, token: re.Match[str]) -> None:
    if token[1] is None:
        level.name = ""
    elif token[2] is not None:
        level.name = token[1]
    elif level.is_object and level.name:
        level.strings[level.name] = token.span(1)


def _find_terms(text: str, level: _Level) -> Iterator[FormPart]:
    codings, concepts = _coded_elements()
    strings = level.strings
    if level.element in codings and "display" in strings:
        system = text[slice(*strings.get("system", (0, 0)))]
        public = "code" in strings and is_public_system(system)
        yield FormPart(*strings["display"], term=CodedTerm.PUBLIC if public else CodedTerm.LOCAL)
    if level.element in concepts and "text" in strings:
        yield FormPart(*strings["text"], term=CodedTerm.LOCAL)
    if "unit" in strings:
        yield FormPart(*strings["unit"], term=CodedTerm.LOCAL)


@cache
def _coded_elements() -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the elements that are codings, and of those that are concepts."""
    rules = [rule for section in element_table().sections.values() for rule in section]
    codings = frozenset(rule.name for rule in rules if rule.kind == "Coding")
    return codings, frozenset(rule.name for rule in rules if rule.kind in _CONCEPTS)
