"""The recognizer of written forms as a whole: offsets, order, independence, linear time."""

import time
from typing import TYPE_CHECKING

import pytest

from deidstream.models.recognizers.rules.recognizer import BUILT_IN, RulesRecognizer
from deidstream.models.recognizers.rules.rule import Candidate, Rule, compile_rule, when
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

if TYPE_CHECKING:
    from deidstream.schemas.ports import Recognizer

RULES = RulesRecognizer()
MEGABYTE = 1_000_000


def note(text: str) -> RawNote:
    return RawNote("n", "p", text)


def spans(text: str) -> tuple[Span, ...]:
    return RULES.recognize([note(text)])[0]


def texts(text: str, label: PhiLabel) -> set[str]:
    return {text[s.start : s.end] for s in spans(text) if s.label is label}


def test_it_is_a_recognizer() -> None:
    recognizer: Recognizer = RULES
    assert recognizer.name == "rules"


def test_a_span_names_the_rule_that_found_it() -> None:
    assert "rules:date.iso" in {s.source for s in spans("seen on 2025-11-08")}


def test_offsets_count_code_points() -> None:
    text = "😀 Zoë: José García-Núñez, MRN 00-77-2391, seen 2025-11-08"
    assert texts(text, PhiLabel.MEDICALRECORD) == {"00-77-2391"}
    assert texts(text, PhiLabel.DATE) == {"2025-11-08"}


def test_a_lone_surrogate_moves_no_offset() -> None:
    assert texts("\ud800 seen 2025-11-08", PhiLabel.DATE) == {"2025-11-08"}


def test_an_empty_text_has_no_spans() -> None:
    assert spans("") == ()


def test_notes_are_answered_in_order_and_alone() -> None:
    both = RULES.recognize([note("MRN 4471-22"), note("nothing here"), note("on 4/6/2024")])
    assert both == [spans("MRN 4471-22"), (), spans("on 4/6/2024")]


def test_spans_are_sorted() -> None:
    found = spans("Dr. Ada Quill saw Mr. Roe on 4/6/2024; call 555-0123.")
    assert list(found) == sorted(found)
    assert len(found) > 3


@pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\u200b", "\ufffd"])
def test_what_separates_words_for_the_tagger_does_so_for_rules(sign: str) -> None:
    text = f"Seen by Dr. Brezhnova{sign}No evidence of metastasis"
    assert texts(text, PhiLabel.DOCTOR) == {"Brezhnova"}


def test_titles_degrees_and_possessives_stay_outside() -> None:
    text = "Dr. Tobias Farrow, MD, examined Mrs. O'Brien's foot with John Roe Jr., RN."
    assert texts(text, PhiLabel.DOCTOR) >= {"Tobias Farrow", "John Roe Jr."}
    assert texts(text, PhiLabel.PATIENT) == {"O'Brien"}


def test_eponyms_and_scores_are_passed_over() -> None:
    text = (
        "Parkinson disease, Foley catheter, Crohn's colitis, Babinski negative, Glasgow Coma Scale "
        "15, strength 5/5, BP 120/80, pain 3/10, HLA-B27, SpO2 98% on 2 L, POD 3, lisinopril 20 mg."
    )
    assert spans(text) == ()


def test_rule_ids_are_unique() -> None:
    ids = [rule.id for rule in BUILT_IN]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("rule", BUILT_IN, ids=lambda rule: rule.id)
def test_a_rule_is_exemplified_and_scored(rule: Rule) -> None:
    assert rule.found
    assert 0 < rule.score <= 1


def test_a_rule_without_a_group_is_refused() -> None:
    with pytest.raises(ValueError, match="marks nothing"):
        compile_rule(Rule("x", PhiLabel.DATE, "abc", 1.0, ("abc",)))


def test_a_candidate_shows_no_text() -> None:
    assert "Roe" not in repr(Candidate("Roe", "Mr. ", " came"))


def test_a_span_inside_a_word_is_refused_beyond_ascii_too() -> None:
    rule = compile_rule(Rule("x", PhiLabel.AGE, "([0-9]+)", 1.0, ("[[1]]",), fit=when(str.isdigit)))
    assert list(rule.spans("é12".encode())) == []
    assert list(rule.spans("é 12".encode())) == [(3, 5)]


@pytest.mark.parametrize("unit", [" ", "a", "1-1-1-", "A A A "])
def test_a_hostile_megabyte_takes_little_time(unit: str) -> None:
    text = unit * (MEGABYTE // len(unit)) + "\nDr. Farrow"
    begin = time.process_time()
    found = spans(text)
    assert time.process_time() - begin < 10
    assert found[-1].end == len(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "a",
        "A",
        "1",
        "1-1-1-",
        "A A A ",
        "1/1 ",
        "\n",
        "Dr. A ",
        "mr a ",
        "id 1 ",
        "x.",
        "A, ",
        "é",
        "1 ",
        "in May ",
        "a@",
        "by ",
    ],
)
def test_half_a_megabyte_of_anything_takes_linear_time(unit: str) -> None:
    small, large = (unit * (size // len(unit)) for size in (MEGABYTE // 16, MEGABYTE // 2))
    spans(small)
    begin = time.process_time()
    spans(small)
    middle = time.process_time()
    spans(large)
    end = time.process_time()
    assert end - middle < 8 * 2 * (middle - begin) + 0.5
