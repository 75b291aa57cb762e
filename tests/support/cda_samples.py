"""The sample documents of ``tests/cda``, and what in them identifies somebody."""

import json
import re
from pathlib import Path
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.render_form import render_form
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.permit import EmitPermit
from support.outcomes import permit

FOLDER = Path(__file__).parents[1] / "cda"
SAMPLES = sorted(file.stem for file in FOLDER.glob("*.xml"))
V3 = "{urn:hl7-org:v3}"
HEAD = (
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
)


def sample(name: str) -> bytes:
    """The bytes of a sample."""
    return (FOLDER / f"{name}.xml").read_bytes()


def identifiers(name: str) -> list[str]:
    """The values of a sample that identify somebody, or a site."""
    listed: dict[str, list[str]] = json.loads((FOLDER / "identifiers.json").read_text("utf-8"))
    return listed[name]


def find_left(values: list[str], outcome: Anonymized) -> set[str]:
    """Those values that an output shows as whole words, in its document or its text."""
    assert outcome.note.document is not None
    shown = f"{outcome.note.document}\n{outcome.note.text}"
    edge = r"[^\W_]"
    return {
        value
        for value in values
        if re.search(f"(?<!{edge}){re.escape(value)}(?!{edge})", shown, re.IGNORECASE)
    }


def document_of(inner: str) -> str:
    """A document with these elements."""
    return f"{HEAD}{inner}</ClinicalDocument>"


def read(inner: str) -> RawNote:
    """The note of a document with these elements."""
    return read_message(document_of(inner).encode())


def rendered(inner: str) -> str:
    """What is in the document of a permit that left the text as it is; ids are 32 digits."""
    note = read(f"<title>x1</title>{inner}")
    return written(note, permit("quiet"), note.text).replace("<title>x1</title>", "")


def written(note: RawNote, allowed: EmitPermit, text: str) -> str:
    """What is in the document of a note whose text became another one of the same length."""
    made = render_form(note, _replace_text(allowed, text), _name).document
    assert made is not None
    return made.partition(HEAD.rpartition(" xmlns:xsi")[2])[2].removesuffix("</ClinicalDocument>")


def parse(document: str | bytes) -> Any:
    """The tree of a document."""
    return etree.fromstring(document.encode() if isinstance(document, str) else document)


def _replace_text(allowed: EmitPermit, text: str) -> EmitPermit:
    from dataclasses import replace  # noqa: PLC0415

    return replace(allowed, text=text)


def _name(identifier: str, *, of_patient: bool) -> str:
    return f"{len(identifier):032x}" if not of_patient else "f" * 32
