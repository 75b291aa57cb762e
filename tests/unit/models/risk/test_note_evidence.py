"""What a whole note tells of how many identifiers were overlooked in it."""

import pytest

from deidstream.models.risk.note_evidence import SURE, NoteEvidence, gather_evidence
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import POSSIBLE, Span
from support.detected import as_detected


def gather(text: str, found: tuple[Span, ...] = (), doubts: tuple[Span, ...] = ()) -> NoteEvidence:
    return gather_evidence(as_detected(RawNote("n", "p", text), found, doubts=doubts))


def test_an_empty_note_tells_nothing() -> None:
    assert gather("") == NoteEvidence(0, 0, 0.0, 0.0, 0.0)


def test_what_was_found_counts_and_what_is_unsure_of_it() -> None:
    found = (
        Span(0, 3, PhiLabel.PATIENT, SURE),
        Span(4, 6, PhiLabel.DATE, SURE - 0.01),
        Span(7, 9, PhiLabel.MEDICALRECORD, 0.5),
    )
    told = gather("Ann 09 77 came", found)
    assert (told.mentions, told.unsure) == (2, 2)


def test_a_doubt_weighs_most_where_it_may_go_either_way() -> None:
    doubts = [(Span(0, 3, PhiLabel.PATIENT, score, POSSIBLE),) for score in (0.0, 0.05, 0.5, 1.0)]
    none, little, most, certain = (gather("Ann came", doubts=each).doubt for each in doubts)
    assert none == certain == 0 < little < most


def test_a_doubt_weighs_less_in_a_longer_note() -> None:
    doubts = (Span(0, 3, PhiLabel.PATIENT, 0.5, POSSIBLE),)
    short, long = (gather("Ann came" + " again" * words, doubts=doubts) for words in (0, 6))
    assert short.doubt == pytest.approx(4 * long.doubt)


@pytest.mark.parametrize(
    ("text", "torn", "spoken"),
    [
        ("B12 500mg T2 14:30 2024", 0, 0),
        ("O1l4 lo9S 7l9 ok", 750, 0),
        ("number four seven Double oh", 0, 800),
    ],
)
def test_misread_and_dictated_words_count_by_thousand(text: str, torn: int, spoken: int) -> None:
    told = gather(text)
    assert (told.torn, told.spoken) == (torn, spoken)
