"""What of a note's own text may be an identifier."""

import pytest

from deidstream.models.risk.suspects import SuspectKind, find_suspects
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import POSSIBLE, Span
from support.detected import as_detected


def suspects(text: str, found: tuple[Span, ...] = (), doubts: tuple[Span, ...] = ()) -> list[str]:
    detected = as_detected(RawNote("n", "p", text), found, doubts=doubts)
    return [one.text for one in find_suspects(detected)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Then Zzyzxfeather left.", ["Zzyzxfeather"]),
        ("The pain is severe.", []),
        ("Serum sodium 138, glucose 5.4", []),
        ("Chart 4471203 is here", ["4471203"]),
        ("code XK47-PLQR stays", ["XK47-PLQR"]),
        ("He saw Rose about it", ["Rose"]),
        ("Rose to his feet", []),
        ("Given ABC and CT", []),
    ],
)
def test_words_are_suspect_by_their_shape(text: str, expected: list[str]) -> None:
    assert suspects(text) == expected


def test_what_was_found_is_not_suspect_and_what_is_beside_it_is_more() -> None:
    text = "tel 617 555 0199 77"
    found = (Span(4, 16, PhiLabel.PHONE),)
    assert suspects(text, found) == ["77"]
    assert suspects("dose of 77 units") == []


def test_a_doubt_is_suspect_whatever_its_shape_and_only_once() -> None:
    doubt = Span(5, 17, PhiLabel.PATIENT, 0.3, POSSIBLE)
    assert suspects("Then Zzyzxfeather left.", doubts=(doubt,)) == ["Zzyzxfeather"]
    small = Span(0, 4, PhiLabel.PATIENT, 0.3, POSSIBLE)
    assert suspects("then she left", doubts=(small,)) == ["then"]


def test_digits_make_a_number_and_evidence_holds_no_text() -> None:
    detected = as_detected(RawNote("n", "p", "id 4471203 of Zzyzxy"))
    found = list(find_suspects(detected))
    assert [one.kind for one in found] == [SuspectKind.NUMBER, SuspectKind.NAME]
    assert "Zzyzxy" not in repr(found)
