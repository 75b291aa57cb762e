import re

import pytest

from deidstream.models.mention import Mention
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.phi.names.name_cues import LAY_TITLE
from deidstream.models.phi.names.parts import Role, parse_name
from deidstream.models.phi.names.stops import LEADING
from deidstream.models.text.context import Condition
from deidstream.models.text.patterns import word_set
from deidstream.models.text.search import Term, find_occurrences
from deidstream.models.text.titles import (
    ABBREVIATED,
    BEFORE_SURNAME,
    EVIDENT,
    KEPT,
    LEFT_OUT,
    NEVER_NAMES,
    TITLES,
)
from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel

COLUMNS = {"abbreviated", "doubtful", "surname", "left-out", "name", "replaced"}


@pytest.mark.parametrize(
    "title",
    ["Judge", "Attorney", "Atty.", "Deputy", "Detective", "Det.", "Lord", "Madam", "Colonel"],
)
def test_the_name_operator_keeps_a_title_and_replaces_the_name(title: str) -> None:
    text = f"{title} Harlow"
    roles = [part.role for part in parse_name(text) if part.role is not Role.SEPARATOR]
    assert roles == [Role.KEPT, Role.NAME]
    identities = ReplaceName().identities(Mention(text, PhiLabel.PATIENT))
    assert identities == ReplaceName().identities(Mention("Harlow", PhiLabel.PATIENT))


@pytest.mark.parametrize("word", ["Judge", "Lord", "Chief", "Hon"])
def test_a_title_that_leads_no_name_is_a_name(word: str) -> None:
    assert parse_name(word)[0].role is Role.NAME
    assert parse_name(f"{word}, Mary")[0].role is Role.NAME


@pytest.mark.parametrize(
    "title", ["Colonel", "Col.", "Chief", "Monsieur", "Judge", "Lord", "Detective", "Sheikh"]
)
def test_a_term_that_needs_a_title_is_found_behind_it(title: str) -> None:
    term = Term("May", Condition.TITLED)
    assert len(find_occurrences(f"seen by {title} May", [term])) == 1


@pytest.mark.parametrize("word", ["Baby", "16 Fr", "Master"])
def test_what_is_more_often_no_title_is_no_evidence(word: str) -> None:
    assert find_occurrences(f"seen: {word} May", [Term("May", Condition.TITLED)]) == []


def test_every_title_has_one_row_and_known_columns() -> None:
    rows = [line.split() for line in lines("names.titles.txt")]
    assert len({row[0] for row in rows}) == len(rows)
    assert {column for row in rows for column in row[1:]} <= COLUMNS


def test_every_use_takes_its_titles_from_the_one_list() -> None:
    for used in (ABBREVIATED, EVIDENT, BEFORE_SURNAME, LEFT_OUT, NEVER_NAMES, KEPT):
        assert used < TITLES
    assert LEFT_OUT < LEADING


def test_the_plain_titles_of_the_rules_are_in_the_list_or_say_what_somebody_is() -> None:
    plain = {word.casefold() for word in re.split(r"[|()?:]+", LAY_TITLE) if word.isalpha()}
    assert {"mr", "judge"} <= plain
    unlisted = plain - TITLES - LEADING
    assert unlisted <= _OF_RULES_ALONE


_OF_RULES_ALONE = word_set("""
messrs kumari tuan mdm ie y gogo gran oma opa deacon justice ofc trooper inspector insp pc wpc sri
constable const coach principal councillor elder opanyin agent investigator bà ông vovó teacher
solicitor lawyer adjuster mentor supv erend
""")
"""Trades and titles that only the rules of names know, which ask for more than the word."""
