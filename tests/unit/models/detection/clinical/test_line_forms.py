"""Forms of clinical values on some lines of a note."""

import re

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.detection.clinical import clock_times, codes, measures
from deidstream.models.detection.clinical.line_forms import LineForms, NoteLine, find_lines, loosen
from support.clinical_values import find_plainly, lines_of

_FORMS = (*measures.FORMS, *clock_times.FORMS, *codes.FORMS)
_TOGETHER = LineForms(_FORMS)
_PIECES = st.sampled_from(
    """5 mg|120/80|GCS|Waterlow 17|HD 3|day|stage IIIB|L4/5|34+2|weeks|G2P1|1-0-1|C1D8|v2.3|K+ 4.1
    |K|sat 88|7.25|14:22:10|0640|1440-1530|3/12 0030|Sat 17 May 25|at 0900|ICD-10: K50.812
    |dx I69.354|CPT 29888 29882|2.16.840.1.113883.4.3.32|urn:oid:1.2|^HL70001|T. Zorvex 10 mg
    |Inj Zorvex stat|Jun|2024|x|\u00e9|\u017f|\u212a+ 4|D\u0131|(|)|:| |  |.|-|/|,""".replace(
        "\n    ", ""
    ).split("|")
)
_TEXTS = st.lists(
    st.one_of(_PIECES, st.sampled_from(("\n", "\ud800", "\u00b5g", "\u03bcg"))), max_size=24
).map("".join)


@given(_TEXTS)
@settings(max_examples=100)
def test_finds_on_every_line_what_the_patterns_find_in_the_whole(text: str) -> None:
    found = sorted(_TOGETHER.find(text, lines_of(text)), key=str)
    assert found == sorted(find_plainly(text, _FORMS), key=str)


@given(_TEXTS, st.integers(0, 40), st.integers(1, 12))
def test_finds_on_one_line_what_touches_it(text: str, start: int, length: int) -> None:
    if start + length > len(text):
        return
    lines = find_lines(text, [(start, start + length)])
    first, last = lines[0].start, lines[-1].end
    plain = [one for one in find_plainly(text, _FORMS) if first <= one.start <= last]
    assert sorted(_TOGETHER.find(text, lines), key=str) == sorted(plain, key=str)


def test_the_lines_of_places_are_each_given_once() -> None:
    text = "ab\ncd\n\nef"
    assert find_lines(text, [(0, 1), (1, 2), (4, 8)]) == [
        NoteLine(0, 2),
        NoteLine(3, 5),
        NoteLine(6, 6),
        NoteLine(7, 9),
    ]
    assert find_lines(text, [(2, 3)]) == [NoteLine(0, 2)]


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"(?<![0-9])5(?= ?mg)b", "(?:)5(?:)b"),
        (r"(?<=\^)5(?= ?mg|$)", r"(?:\^)5(?: ?mg|$)"),
        (r"a(?![()\]]|\))b", "a(?:)b"),
        (r"\(?x\u00b5", r"\(?x\x{00b5}"),
        (r"(?:a|(?i:b))", r"(?:a|(?i:b))"),
    ],
)
def test_a_loose_pattern_asks_nothing_of_its_surroundings(pattern: str, loose: str) -> None:
    assert loosen(pattern) == loose


@given(st.text("aA1 /-:.mg", max_size=12))
def test_a_loose_pattern_matches_wherever_the_other_does(text: str) -> None:
    for form in _FORMS:
        if form.pattern.search(text):
            assert re2.search(loosen(form.pattern.pattern), text)


def test_loosens_every_form_into_one_without_look_around() -> None:
    assert not any(re.search(r"\(\?<?[=!]", loosen(form.pattern.pattern)) for form in _FORMS)


@pytest.mark.parametrize(
    "text", ["d\u0131goxin 1.2", "D\u0130GOXIN: 12", "\u0131tem 4", "\u017fession 4"]
)
def test_a_letter_that_counts_as_an_i_hides_no_value(text: str) -> None:
    found = sorted(_TOGETHER.find(text, lines_of(text)), key=str)
    assert found == sorted(find_plainly(text, _FORMS), key=str)
