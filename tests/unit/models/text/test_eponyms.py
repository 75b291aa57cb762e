import pytest

from deidstream.models.phi.not_phi import eponyms, fold_term
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.text.context import Condition
from deidstream.models.text.eponyms import (
    DOUBLE_EPONYMS,
    EPONYMS,
    EVIDENT_HEADS,
    HEADS,
    LEADING_EPONYMS,
)
from deidstream.models.text.search import Term, find_occurrences
from deidstream.models.text.word_files import lines
from deidstream.schemas.note import RawNote

MARKS = {"leads", "leads-only", "surname"}


def test_every_eponym_has_one_row_and_known_marks() -> None:
    rows = [line.partition("; ") for line in lines("eponyms.txt")]
    assert len({term for term, _, _ in rows}) == len(rows)
    assert {mark for _, _, marks in rows for mark in marks.split()} <= MARKS


def test_every_noun_has_one_row_and_known_marks() -> None:
    rows = [line.split() for line in lines("eponyms.heads.txt")]
    assert len({noun for noun, *_ in rows}) == len(rows)
    assert {mark for _, *marks in rows for mark in marks} == {"own"}


def test_every_use_takes_its_eponyms_from_the_one_list() -> None:
    terms = [line.partition("; ")[0] for line in lines("eponyms.txt")]
    assert set(EPONYMS) < set(terms)
    assert set(terms) - set(EPONYMS) == {
        line.partition("; ")[0] for line in lines("eponyms.txt") if "leads-only" in line
    }
    assert {term.lower() for term in terms} >= DOUBLE_EPONYMS
    assert {term.split()[0].lower().removesuffix("'s") for term in terms} >= LEADING_EPONYMS
    assert EVIDENT_HEADS < HEADS


@pytest.mark.parametrize("term", ["elisa", "western", "abbott"])
def test_what_only_leads_may_not_stay_by_itself(term: str) -> None:
    assert term in LEADING_EPONYMS
    assert term not in eponyms()


@pytest.mark.parametrize("noun", ["anomaly", "balloon", "forceps", "nomogram", "scan", "tumour"])
def test_no_rule_takes_a_name_before_a_noun_of_either_former_list(noun: str) -> None:
    assert _found_by_rules(f"showed Greene-Sakamoto {noun} then") == set()
    assert _found_by_rules(f"from N. Friel {noun} then") == set()


def test_a_noun_on_the_next_line_or_inside_a_longer_word_is_none() -> None:
    assert _found_by_rules("told Greene-Sakamoto testified") == {"Greene-Sakamoto"}
    assert _found_by_rules("told Greene-Sakamoto\nscore 4") == {"Greene-Sakamoto"}


@pytest.mark.parametrize("eponym", ["Weil-Felix", "Rey-Osterrieth", "Zollinger-Ellison"])
def test_an_eponym_of_two_names_is_no_name(eponym: str) -> None:
    assert _found_by_rules(f"the {eponym} was positive") == set()
    assert fold_term(eponym) in eponyms()


def test_the_surname_of_a_person_counts_before_what_a_person_has() -> None:
    term = [Term("Wilson", Condition.NOT_EPONYM)]
    assert len(find_occurrences("of Wilson's fever, on Wilson scan", term)) == 2
    assert find_occurrences("of Wilson's questionnaire, by Wilson forceps", term) == []


def _found_by_rules(text: str) -> set[str]:
    spans = RulesRecognizer().recognize([RawNote("n", "p", text)])[0]
    return {text[span.start : span.end] for span in spans}
