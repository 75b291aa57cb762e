import time

import pytest

from deidstream.models.detection.obfuscation.contradictions import cut_contradicted_spans
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

DATE, MRN, PHONE = PhiLabel.DATE, PhiLabel.MEDICALRECORD, PhiLabel.PHONE


def span(text: str, part: str, label: PhiLabel) -> Span:
    start = text.index(part)
    return Span(start, start + len(part), label, 0.9, "rules:x")


def stands(text: str, found: Span, *open_spans: Span) -> bool:
    return list(cut_contradicted_spans([found], open_spans, text)) == [found]


def test_a_count_above_a_date_is_no_part_of_it() -> None:
    text = "Progress note - HD 3\n1/10/24 0740"
    found, date = span(text, "3\n1/10/24", DATE), span(text, "1/10/24", DATE)
    assert list(cut_contradicted_spans([found], [date], text)) == [span(text, "3", DATE)]


def test_digits_below_a_date_are_no_part_of_it() -> None:
    text = "seen 1/10/20\n24 beds"
    found, date = span(text, "1/10/20\n24", DATE), span(text, "1/10/20", DATE)
    assert list(cut_contradicted_spans([found], [date], text)) == [span(text, "24", DATE)]


def test_a_number_above_a_date_is_no_part_of_it() -> None:
    text = "H/N W308812 \n  06/02/24"
    found = span(text, "W308812 \n  06/", MRN)
    around = span(text, "W308812", MRN), span(text, "06/02/24", DATE)
    assert list(cut_contradicted_spans([found], around, text)) == []


def test_a_value_above_a_certain_date_is_no_number_of_a_record() -> None:
    text = "BP 148/96\n10/6 152/94"
    found, date = span(text, "148/96\n10/6", MRN), span(text, "10/6", DATE)
    assert list(cut_contradicted_spans([found], [date.scored(1.0)], text)) == []
    assert stands(text, found, date)
    longer = span(text, "148/96\n10/6 152", MRN)
    assert stands(text, longer, date.scored(1.0))


def test_what_the_note_itself_does_not_show_stands() -> None:
    text = "seen 03/1\n2/2024 and well"
    found = span(text, "03/1\n2/2024", DATE)
    assert stands(text, found)
    assert stands(text, found, span(text, "2/2024", DATE))


def test_two_halves_of_one_kind_are_one() -> None:
    text = "ph (419) 555\n0172"
    halves = span(text, "(419) 555", PHONE), span(text, "0172", PHONE)
    assert stands(text, span(text, "(419) 555\n0172", PHONE), *halves)


def test_what_goes_over_the_line_end_in_the_note_too_stands() -> None:
    text = "ph (419) 555\n0172"
    found = span(text, "(419) 555\n0172", PHONE)
    assert stands(text, found, span(text, "555\n0172", MRN), span(text, "(419)", DATE))


@pytest.mark.parametrize(("text", "part"), [("Ann\nSmith", "Ann"), ("Ann 3 Smith", "Ann")])
def test_words_and_single_lines_are_not_doubted(text: str, part: str) -> None:
    found = span(text, text, PhiLabel.PATIENT)
    assert stands(text, found, span(text, part, PhiLabel.DOCTOR), span(text, "Smith", DATE))


@pytest.mark.slow
def test_many_line_ends_take_no_long() -> None:
    text = "MRN 123456\n06/02/2024\n" * 10_000
    starts = range(0, len(text), len("MRN 123456\n06/02/2024\n"))
    open_spans = [Span(s + 4, s + 10, MRN) for s in starts] + [
        Span(s + 11, s + 21, DATE) for s in starts
    ]
    shown = [Span(s + 4, s + 14, MRN) for s in starts]
    begun = time.process_time()
    assert list(cut_contradicted_spans(shown, open_spans, text)) == []
    assert time.process_time() - begun < 5
