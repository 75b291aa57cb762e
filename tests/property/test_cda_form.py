"""What a document keeps without the policy: whatever it holds, only parts of its text and codes."""

from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deidstream.models.messages.cda.cda_lists import element_kinds
from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.render_form import render_form
from deidstream.schemas.errors import Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.permit import EmitPermit
from support.cda_samples import SAMPLES, document_of, parse, sample
from support.outcomes import permit

CANARY = "Zyxwvutson"
PERMIT = permit("quiet")
INNER = (
    "given family prefix suffix delimiter streetAddressLine city country low high center phase "
    "period width translation originalText qualifier reference thumbnail paragraph list item table "
    f"tr td th content linkHtml br sub footnote caption div b unknown {CANARY} integrityCheck"
).split()
NAMES = sorted({*element_kinds(), *INNER})
ATTRIBUTES = (
    "value code codeSystem codeSystemName codeSystemVersion displayName root extension unit use "
    "assigningAuthorityName classCode moodCode typeCode nullFlavor ID styleCode href title "
    f"language mediaType representation align width border xsi:type xml:lang {CANARY} "
    "xsi:schemaLocation sdtc:valueSet IDREF referencedObject qualifier currency headers "
    "listType revised inclusive"
).split()
VALUES = st.sampled_from(
    [
        *(CANARY, CANARY.upper(), f"#{CANARY}", f"tel:{CANARY}", f"http://{CANARY}.example"),
        *("2024-03-12", "20240312", f"20240312{CANARY}", "5.5", f"{CANARY} MD", "completed"),
        *(f"2.16.840.1.113883.10.20.{CANARY}", "2.16.840.1.113883.4.6", "text/plain", "OBS"),
        *("1.2.3", "42", "B64"),
    ]
)
TYPES = st.sampled_from(["CD", "PQ", "TS", "ST", "ED", "II", "IVL_TS", "AD", "PN", "TEL", CANARY])
TEXTS = st.sampled_from([CANARY, f" {CANARY} & <1\n", "", "  ", "- ", "Seen 03/12/2024"])


@st.composite
def elements(draw: st.DrawFn, levels: int = 3) -> str:
    """An element with attributes, text and other elements, of the standard or not."""
    name = draw(st.sampled_from(NAMES))
    attributes = draw(st.dictionaries(st.sampled_from(ATTRIBUTES), VALUES, max_size=3))
    if "xsi:type" in attributes:
        attributes["xsi:type"] = draw(TYPES)
    written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    inner = escape(draw(TEXTS))
    if levels:
        for each in draw(st.lists(elements(levels - 1), max_size=3)):
            inner += each + escape(draw(TEXTS))
    return f"<{name}{written}>{inner}</{name}>"


def read(document: str) -> RawNote | None:
    try:
        return read_message(document.encode())
    except Rejected:
        return None


def hide(note: RawNote) -> EmitPermit:
    """A permit for the note's text with every character of a part replaced by another."""
    assert note.form is not None
    text = list(note.text)
    for part in note.form.parts:
        text[part.start : part.end] = "x" * (part.end - part.start)
    return replace(PERMIT, text="".join(text))


def pseudonym(identifier: str, *, of_patient: bool) -> str:
    del identifier
    return ("a" if of_patient else "b") * 32


def hidden(document: str) -> Any:
    """The document of a note all of whose text is replaced."""
    note = read(document)
    if note is None:
        return None
    made = render_form(note, hide(note), pseudonym).document
    assert made is not None
    return made


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.lists(elements(), min_size=1, max_size=3).map("".join))
@example(f"<title>x</title><code code='{CANARY}' codeSystem='2.16.840.1.113883.5.{CANARY}'/>")
@example(
    f"<section><text><{CANARY} a='b'>x<content {CANARY}='{CANARY}'/></{CANARY}></text></section>"
)
def test_whatever_is_not_a_part_of_the_text_does_not_leave(inner: str) -> None:
    made = hidden(document_of(f"<title>Seen today</title>{inner}"))
    if made is None:
        return
    assert CANARY.casefold() not in made.casefold()
    # What comes out is read again.
    assert read(made) is not None


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 1 << 20), st.binary(max_size=3)), min_size=1, max_size=6),
)
def test_damaged_bytes_are_refused_or_read(name: str, damages: list[tuple[int, bytes]]) -> None:
    data = bytearray(sample(name))
    for place, written in damages:
        at = place % len(data)
        data[at : at + 1] = written
    try:
        note = read_message(bytes(data))
    except Rejected:
        return
    if note.form is not None:
        made = render_form(note, hide(note), pseudonym).document
        assert made is None or parse(made) is not None
