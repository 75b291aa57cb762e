"""Notes written with their marks: ``Mr. [[PATIENT|Quill]]``."""

import re
from collections.abc import Callable

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_MARK = re.compile(r"\[\[(\w+)\|(.+?)\]\]", re.DOTALL)


def marked(markup: str) -> LabelledNote:
    text, spans, place = "", list[Span](), 0
    for match in _MARK.finditer(markup):
        text += markup[place : match.start()]
        start = len(text)
        text += match[2]
        spans.append(Span(start, len(text), PhiLabel(match[1])))
        place = match.end()
    return LabelledNote(RawNote("n1", "p1", text + markup[place:]), tuple(spans))


@pytest.fixture
def mark() -> Callable[[str], LabelledNote]:
    return marked
