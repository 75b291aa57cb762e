"""Initials of persons whose names were found count where people sign or are listed."""

import pytest

from deidstream.models.detection.initials import (
    find_acronyms_of_names,
    find_initials_of_names,
)
from deidstream.models.detection.sweep import find_echoes, sweep
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

NAMES = {
    "Jess Farrow": PhiLabel.DOCTOR,
    "Liam Q. Docherty": PhiLabel.DOCTOR,
    "N. Okpara": PhiLabel.DOCTOR,
    "Carol Quist": PhiLabel.PATIENT,
    "Tom Bright": PhiLabel.DOCTOR,
}


def find_names(text: str, score: float = 0.99) -> list[Span]:
    return sorted(
        Span(start, start + len(name), label, score, "tagger")
        for name, label in NAMES.items()
        if (start := text.find(name)) >= 0
    )


def found_in(text: str, score: float = 0.99) -> list[str]:
    return [
        text[each.start : each.end]
        for each in find_initials_of_names(text, find_names(text, score))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On: Jess Farrow RN.\n0700 obs done JF\n0900 dressing changed (JF)\n", ["JF", "JF"]),
        ("Present: N. Okpara (NO), Jess Farrow (JF).\nJF to call the family.", ["NO", "JF", "JF"]),
        ("Seen by Liam Q. Docherty. Plan agreed, LQD will write.", ["LQD"]),
        ("On: Jess Farrow RN.\nJF to chase bloods.", ["JF"]),
        ("On: Tom Bright.\nTB asked for a film. TB contacts traced.", ["TB"]),
        ("Seen by Liam Q. Docherty. Drain out LQD. LQD bleep 4.", ["LQD", "LQD"]),
        ("On: Jess Farrow RN.\nper JF. Left JF dressing.", ["JF", "JF"]),
        ("Carol Quist attended.\nCoombs neg on CQ today", ["CQ"]),
        ("Seen by Liam Q. Docherty.\nphoto thumb_LQD_1.heic", ["LQD"]),
        ("Carol Quist attended.\nCQ index 4, a CQ view\n", []),
        ("Carol Quist attended.\nC.Q. says she is well.\n", []),
        ("Carol Quist attended.\nre: C.Q. called back.\n", ["C.Q"]),
    ],
)
def test_who_signs_or_is_explained_is_found(text: str, expected: list[str]) -> None:
    assert found_in(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Seen by Tom Bright. TB excluded by culture, TB contacts traced.",
        "Seen by N. Okpara. NO ACUTE DISTRESS, no fever.",
        "Dictated by: Jess Farrow. Lateral JF view was good.",
        "Obs by Liam Q. Docherty. LD 212, albumin 31.",
    ],
)
def test_letters_that_mean_a_thing_are_none(text: str) -> None:
    assert found_in(text) == []


def test_names_that_stand_in_one_span_have_initials_each() -> None:
    text = "Present: Jess Farrow, Liam Docherty\nLD to call."
    (name,) = [Span(9, 35, PhiLabel.DOCTOR, 0.99, "tagger")]
    assert [text[one.start : one.end] for one in find_initials_of_names(text, [name])] == ["LD"]


def test_a_name_that_may_be_none_has_no_initials() -> None:
    text = "On: Jess Farrow RN.\n0700 obs done JF\n0900 dressing changed (JF)\n"
    assert found_in(text, score=0.6) == []


def test_initials_have_the_label_of_their_person_and_a_part_of_the_score() -> None:
    text = "On: Jess Farrow RN.\n0700 obs done JF\n"
    (echo,) = find_echoes(text, find_names(text))
    assert text[echo.span.start : echo.span.end] == "JF"
    assert (echo.span.label, echo.origin) == (PhiLabel.DOCTOR, find_names(text)[0])
    assert echo.span.score < echo.origin.score
    assert sweep(text, find_names(text)) == (echo.origin, echo.span)


CLINIC = "Tarn Moor Wound Clinic"


def find_acronyms(text: str, name: str = CLINIC, score: float = 0.99) -> list[str]:
    start = text.index(name)
    spans = [Span(start, start + len(name), PhiLabel.HOSPITAL, score, "tagger")]
    return [text[one.start : one.end] for one in find_acronyms_of_names(text, spans)]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Tarn Moor Wound Clinic. TMWC closed; seen at TMWC.", CLINIC, ["TMWC", "TMWC"]),
        ("TARN MOOR WOUND CLINIC (TMWC)", CLINIC.upper(), ["TMWC"]),
        ("Moor and District Care Hub; MDCH, MADCH", "Moor and District Care Hub",
         ["MDCH", "MADCH"]),
        ("Tarn Moor Practice (TMP). TMP, q8h", "Tarn Moor Practice", ["TMP"]),
        ("Tarn Moor Wound Clinic. tmwc, TMW, TMWCX", CLINIC, []),
        ("Corner Oak Practice Drayton. COPD since 2019", "Corner Oak Practice Drayton", []),
        ("Tarn Moor Practice. TMP-SMX given", "Tarn Moor Practice", []),
    ],
)  # fmt: skip
def test_acronyms_of_institutions_are_found(text: str, name: str, expected: list[str]) -> None:
    assert find_acronyms(text, name) == expected


def test_an_institution_that_may_be_none_has_no_acronym() -> None:
    assert find_acronyms("Tarn Moor Wound Clinic. TMWC", score=0.6) == []


@pytest.mark.parametrize(
    "text",
    [
        "Crit to Liam Q. Docherty, read back LQD 0512",
        "Liam Q. Docherty, signed off as LQD at 0640",
        "Liam Q. Docherty\nD: LQD/mm T: 11/07",
    ],
)
def test_initials_behind_words_for_who_did_it_are_found(text: str) -> None:
    assert found_in(text) == ["LQD"]
