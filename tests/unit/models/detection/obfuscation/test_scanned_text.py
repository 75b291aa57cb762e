"""A text that a scanner misread is read as it was; every other text as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.detector import Detector
from deidstream.models.detection.obfuscation.scanned_text import read_scan
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote

HEAD = "REP0RT of the ra1iology C1inic, printed lO/O8/2O25 for the Patien1\n"


def read(text: str) -> str:
    plain = read_scan(HEAD + text)
    assert plain is not None
    return plain.text[len(HEAD) :]


@pytest.mark.parametrize(
    ("scanned", "meant"),
    [
        ("seen l2/O3/2O24 at noon", "seen 12/03/2024 at noon"),
        ("Denied lO/O8 by him", "Denied 10/08 by him"),
        ("DATE: 0ctober 2l, 2O25", "DATE: October 21, 2025"),
        ("on lO October 2O19", "on 10 October 2019"),
        ("from l March 2O25, August ll, 2O24", "from 1 March 2025, August 11, 2024"),
        ("the 2lst of Apri1", "the 21st of April"),
        ("D0B: O6/l7/l962", "DOB: 06/17/1962"),
        ("read Z4/O3/2O25", "read 24/03/2025"),
        ("Tel O20 9l7 4453", "Tel 020 917 4453"),
        ("ID 7O44l832-Ol", "ID 70441832-01"),
        ("PPS 6 6 4 0 9 l 8 H", "PPS 6640918 H"),
        ("lot C4l88, P88l2", "lot C4188, P8812"),
        ("Mr 0'D0WD, Mrs 0'Dea", "Mr O'DOWD, Mrs O'Dea"),
        ("0rthopaedic C1inic", "Orthopaedic Clinic"),
        ("for lLLNESS BENEFlT", "for ILLNESS BENEFIT"),
        ("Lethabo M0kgatle", "Lethabo Mokgatle"),
        ("Surqery, domestlc", "Surgery, domestic"),
    ],
)
def test_letters_and_digits_are_read_for_each_other(scanned: str, meant: str) -> None:
    assert read(scanned) == meant


@pytest.mark.parametrize(
    "text",
    [
        "O2 sat 94 %, T1 L5",
        "at 5am 10mg, 500mg",
        "Z82.1 and B20",
        "BRCA1, HbA1c 44",
        "what I May do",
    ],
)
def test_what_anybody_types_stays_in_a_scan(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "O2 sat 94 %, I10, I50.9, K10, ROS1, H2O2, 2l of NS, T0 N0 M0, V142I, L5/S1",
        "seen l2/O3/2O24",
        "bed l2, l3 and l4; OBX|1|NM|2951^0l|O2",
    ],
)
def test_a_text_without_several_misreadings_is_read_as_it_is(text: str) -> None:
    assert read_scan(text) is None


@given(st.text(st.sampled_from("0O1lI5S 8Bq/-.'ae\n"), max_size=200))
def test_every_character_read_has_its_place(text: str) -> None:
    whole = HEAD + text
    plain = read_scan(whole)
    assert plain is not None
    assert len(plain.text) == len(plain.sources)
    for c, (start, end) in zip(plain.text, plain.sources.tolist(), strict=True):
        assert end == start + 1
        assert c == whole[start] or (c.isalnum() and whole[start].isalnum())


def test_what_is_found_counts_at_its_place_in_the_scan() -> None:
    policy = read_shipped_policy("surrogate")
    text = HEAD + "D0B: O6/l7/l962, e-mail jude@atchaort.exarnple, SSN 22l-l2-4477"
    found = Detector(policy, (RulesRecognizer(),)).detect([RawNote("n", "p", text)])[0]
    assert found.note.text == text
    dates = {text[s.start : s.end] for s in found.spans if s.label is PhiLabel.DATE}
    assert {"lO/O8/2O25", "O6/l7/l962"} <= dates
    assert any(text[s.start : s.end] == "22l-l2-4477" for s in found.spans)
