"""What a whole note tells of how many identifiers were overlooked in it."""

import pytest

from deidstream.models.risk.note_evidence import SURE, NoteEvidence, gather_evidence
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from support.detected import as_detected


def gather(text: str, found: tuple[Span, ...] = ()) -> NoteEvidence:
    return gather_evidence(as_detected(RawNote("n", "p", text), found))


def test_an_empty_note_tells_nothing() -> None:
    assert gather("") == NoteEvidence(0, 0.0)


def test_what_detection_is_unsure_of_counts() -> None:
    found = (
        Span(0, 3, PhiLabel.PATIENT, SURE),
        Span(4, 6, PhiLabel.DATE, SURE - 0.01),
        Span(7, 9, PhiLabel.MEDICALRECORD, 0.5),
    )
    assert gather("Ann 09 77 came", found).unsure == 2


@pytest.mark.parametrize(
    ("text", "torn"),
    [("B12 500mg T2 14:30 2024", 0), ("O1l4 lo9S 7l9 ok", 750)],
)
def test_misread_words_count_by_thousand(text: str, torn: int) -> None:
    assert gather(text).torn == torn
