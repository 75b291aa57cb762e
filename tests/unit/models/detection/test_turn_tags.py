"""The tags of roles in a transcript are nobody's initials."""

import pytest

from deidstream.models.detection.note_borders import NoteBorders
from deidstream.models.detection.stretches import Stretches
from deidstream.models.detection.turn_tags import find_role_tags
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

CALL = "AGT  name please\nCLR  Ada Quill\nAGT  and age\nCLR  nine\nAGT  hold on\nCLR  okay\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CALL, {"AGT", "CLR"}),
        ("INT: sit\nRJV: why\nINT: now\nRJV: no\nINT: well\nRJV: fine\n", {"INT"}),
        ("PAM: hello\nLEE: hi\nPAM: tea\nLEE: yes\nPAM: here\nLEE: ta\n", set[str]()),
        ("JF: hello\nJF: tea\nJF: here\n", set[str]()),
        ("AGT  name please\nCLR  Ada Quill\n", set[str]()),
        ("Plan for AGT: none\nno AGT: yes\nor AGT: maybe\n", set[str]()),
    ],
)
def test_tags_that_often_begin_turns_and_abbreviate_a_role_are_found(
    text: str, found: set[str]
) -> None:
    assert {text[start:end] for start, end in find_role_tags(text)} == found


def test_a_name_begins_behind_the_tag() -> None:
    start = CALL.index("CLR  Ada")
    spans = [
        Span(0, 3, PhiLabel.DOCTOR, 0.9, "tagger"),
        Span(start, start + len("CLR  Ada Quill"), PhiLabel.PATIENT, 0.9, "tagger"),
    ]
    note = RawNote(note_id="a", patient_id="a", text=CALL)
    kept = NoteBorders.read(note, Stretches([], [])).keep_form(spans)
    assert [CALL[one.start : one.end] for one in kept] == ["Ada Quill"]
