"""What a FHIR resource keeps without the policy, and how its text is cut again at its borders."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deidstream.models.messages.cut_text import cut_at_borders
from deidstream.models.messages.fhir.element_table import element_table
from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.render_form import render_form
from deidstream.models.surrogates.substitute import substitute
from deidstream.schemas.documents.note_form import FormPart
from deidstream.schemas.errors import Rejected
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.span import Replacement, Span
from support.fhir_samples import SAMPLES, sample
from support.outcomes import permit

CANARY = "Zyxwvutson"
PERMIT = permit("quiet")
SECTIONS = element_table().sections
NAMES = sorted({rule.name for rules in SECTIONS.values() for rule in rules})
OTHERS = (
    "extension value system code display reference family given div unit start title contentType "
    f"data url _status hidden {CANARY}"
).split()
TEXTS = (CANARY, f"Patient/{CANARY}", f"{CANARY}/1", f"#{CANARY}", f"urn:uuid:{CANARY}")
MARKUP = f"<div><p class='{CANARY}'>{CANARY}</p></div>"
VALUES = st.sampled_from(
    [*TEXTS, CANARY.upper(), f"https://{CANARY}.example/Patient/1", MARKUP, "5550123456", ""]
) | st.sampled_from([f"2024-01-02T{CANARY}", "2024-01-02", "final", f"text/plain; {CANARY}"])
JSON = st.recursive(
    VALUES | st.booleans() | st.integers(0, 10**12) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*NAMES, *OTHERS]), inner, max_size=5)
    ),
    max_leaves=8,
)


def pseudonym(identifier: str, *, of_patient: bool) -> str:
    del identifier
    return ("a" if of_patient else "b") * 32


@st.composite
def objects(draw: st.DrawFn, section: str, levels: int = 2) -> dict[str, Any]:
    """An object with elements that a section lists, most of them well formed, and with others."""
    made: dict[str, Any] = draw(st.dictionaries(st.sampled_from(OTHERS), JSON, max_size=1))
    rules = draw(st.lists(st.sampled_from(SECTIONS[section]), max_size=4))
    for rule in rules:
        if rule.kind in SECTIONS and levels:
            made[rule.name] = draw(objects(rule.kind, levels - 1))
        elif rule.kind[0].islower():
            made[rule.name] = draw(VALUES)
        else:
            elements = st.dictionaries(st.sampled_from(OTHERS), VALUES, max_size=4)
            made[rule.name] = draw(elements)
    return made


@st.composite
def resources(draw: st.DrawFn) -> dict[str, Any]:
    """A resource of a type that is read."""
    resource_type = draw(st.sampled_from(sorted(element_table().resource_types)))
    return {**draw(objects(resource_type)), "resourceType": resource_type}


def read(resource: dict[str, Any]) -> RawNote | None:
    try:
        return read_message(json.dumps(resource).encode())
    except Rejected:
        return None


def hide(note: RawNote) -> EmitPermit:
    """A permit for the note's text with every character of a part replaced by another."""
    assert note.form is not None
    text = list(note.text)
    for part in note.form.parts:
        text[part.start : part.end] = "x" * (part.end - part.start)
    return replace(PERMIT, text="".join(text))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(resources())
@example({"resourceType": "Observation", "status": CANARY, "valueQuantity": {"unit": CANARY}})
@example({"resourceType": "Observation", "subject": {"reference": f"{CANARY}/1", "type": CANARY}})
@example(
    {"resourceType": "Patient", "language": CANARY, "name": [{"use": CANARY, "prefix": [CANARY]}]}
)
@example(
    {"resourceType": "Composition", "text": {"status": "x", "div": f"<{CANARY} a='{CANARY}'/>b"}}
)
def test_whatever_is_not_a_part_of_the_text_does_not_leave(resource: dict[str, Any]) -> None:
    note = read(resource)
    if note is None or note.form is None:
        return
    made = render_form(note, hide(note), pseudonym).resource
    assert made is not None
    assert CANARY.casefold() not in made.decode().casefold()


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(resources())
def test_a_resource_is_read_again_from_its_record(resource: dict[str, Any]) -> None:
    note = read(resource)
    if note is None or note.form is None:
        return
    record = b'{"resource":' + note.form.came_as + b"}"
    assert read_message(record) == note


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[FormPart], list[Replacement]]:
    """A text, its parts, and replacements that cross no border."""
    pieces = draw(st.lists(st.tuples(st.text("ab \n", max_size=3), st.text("wxyz ", max_size=9))))
    text, parts, replacements = "", list[FormPart](), list[Replacement]()
    for between, inside in pieces:
        text += between
        parts.append(FormPart(len(text), len(text) + len(inside)))
        places = sorted(draw(st.sets(st.integers(0, len(inside)), max_size=4)))
        for start, end in zip(places[::2], places[1::2], strict=False):
            span = Span(len(text) + start, len(text) + end, PhiLabel.DATE)
            replacements.append(Replacement(span, draw(st.text("01", max_size=5)), "surrogate"))
        text += inside
    return text, parts, replacements


@given(cut_texts())
def test_parts_are_cut_where_their_text_went(
    made: tuple[str, list[FormPart], list[Replacement]],
) -> None:
    text, parts, replacements = made
    written, placed = substitute(text, replacements)
    cut = cut_at_borders(parts, replace(PERMIT, text=written, replacements=placed))
    for part, found in zip(parts, cut, strict=True):
        own = [one for one in replacements if part.start <= one.span.start < part.end]
        moved = [
            replace(one, span=one.span.at(one.span.start - part.start, one.span.end - part.start))
            for one in own
        ]
        assert found == substitute(text[part.start : part.end], moved)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_what_nothing_replaces_comes_out_as_it_was(name: str) -> None:
    note = read_message(sample(name))
    assert note.form is not None
    texts = cut_at_borders(note.form.parts, replace(PERMIT, text=note.text))
    assert list(texts) == [note.text[part.start : part.end] for part in note.form.parts]
