"""What of a note's own text may be an identifier."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from deidstream.models.records import Decision, DetectionStep
from deidstream.models.risk.suspects import Suspect, SuspectKind, find_suspects
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


REFUSED = "Seen by Ann Moe.\nAM / BP 120"
REPORT = Span(17, 19, PhiLabel.DOCTOR, 0.4, POSSIBLE)


def find_refused(
    found: Sequence[Span] = (), cleared: Sequence[Span] = (), allow: tuple[str, ...] = ()
) -> list[Suspect]:
    detected = as_detected(RawNote("n", "p", REFUSED), found, cleared=cleared)
    reported = replace(detected, steps=(DetectionStep(Decision.REPORTED, (REPORT,)),))
    return [one for one in find_suspects(reported, allow) if one.text == "AM"]


def test_a_report_that_detection_took_back_is_suspect() -> None:
    (suspect,) = find_refused()
    assert suspect.doubt == REPORT
    assert suspect.evidence["refused"]


def test_what_was_found_cleared_or_allowed_is_not_suspect_as_a_refused_report() -> None:
    assert not find_refused(found=[REPORT])
    assert not find_refused(cleared=[REPORT])
    assert not find_refused(allow=("am",))


def test_initials_of_a_found_name_that_sign_a_line_are_told() -> None:
    (without,), (named,) = find_refused(), find_refused([Span(8, 15, PhiLabel.DOCTOR)])
    assert "initials" not in without.evidence
    assert {"initials", "line-start", "upper-short"} <= named.evidence.keys()
    assert "line-end" not in named.evidence
