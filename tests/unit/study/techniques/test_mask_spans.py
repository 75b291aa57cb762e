"""DeI by spans of a file."""

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.techniques.mask_spans import MaskSpans, mask_spans
from support.study_notes import study_note


def _span(start: int, end: int) -> Span:
    return Span(start, end, PhiLabel.PATIENT)


def test_spans_that_overlap_become_one_mask() -> None:
    spans = [_span(10, 13), _span(0, 4), _span(2, 8)]
    assert mask_spans("John Doe, 41.", spans) == "XXXX, XXXX"


def test_a_note_that_the_file_does_not_name_has_no_output() -> None:
    notes = [study_note("John", number=1), study_note("Jane", number=2)]
    (output,) = MaskSpans("DeI x", {"note-2": [_span(0, 4)]}).anonymize(notes)
    assert (output.text, output.own) == ("XXXX", 1)
