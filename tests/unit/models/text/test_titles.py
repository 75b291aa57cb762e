import pytest

from deidstream.models.mention import Mention
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.phi.names.parts import Role, parse_name
from deidstream.models.phi.names.stops import LEADING
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.text.context import Condition
from deidstream.models.text.search import Term, find_occurrences
from deidstream.models.text.titles import (
    ABBREVIATED,
    BEFORE_GIVEN,
    BEFORE_SURNAME,
    EVIDENT,
    KEPT,
    LEFT_OUT,
    NEVER_NAMES,
    OF_MEN,
    OF_WOMEN,
    PHYSICIANS,
    TITLES,
    TYPED,
    title_pattern,
)
from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote

COLUMNS = {
    *("abbreviated", "doubtful", "surname", "left-out", "name", "replaced"),
    *("physician", "staff", "mixed", "lower", "typed", "given", "woman", "man"),
}
REPLACED = {
    *("hon", "don", "tuan", "sri", "kumari", "boy", "girl", "constable", "justice", "deacon"),
    *("elder", "nana", "tita"),
    *("mang", "dona", "ing", "arch", "barr", "mal", "bibi", "begum", "selvi", "pan", "pak"),
    *("canon", "bishop", "sayyid", "lolo", "lola", "ate", "ouma", "sisi", "kaka", "baba"),
    *("dada", "amma", "appa", "didi", "koro", "nanna"),
}
"""Given names and surnames too, which the name operator must not keep."""
RULES = RulesRecognizer()
NAMED = [
    *("Judge", "Attorney", "Atty.", "Deputy", "Detective", "Det.", "Lord", "Madam", "Colonel"),
    *("Aling", "Engr.", "Dre", "Hajia", "Tatay", "Missus", "Matron"),
    *("Inspector", "Brigadier", "Granny", "Cousin", "Trooper", "Teacher", "Corporal"),
]


@pytest.mark.parametrize("title", NAMED)
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
    used_sets = (ABBREVIATED, EVIDENT, BEFORE_SURNAME, LEFT_OUT, NEVER_NAMES, KEPT, PHYSICIANS)
    for used in (*used_sets, TYPED, BEFORE_GIVEN, OF_WOMEN, OF_MEN):
        assert used < TITLES
    assert LEFT_OUT < LEADING
    assert BEFORE_GIVEN.isdisjoint(BEFORE_SURNAME)
    assert OF_WOMEN.isdisjoint(OF_MEN)


def find_names(text: str) -> set[str]:
    note = RawNote("n", "p", text)
    spans = RULES.recognize([note])[0]
    return {text[span.start : span.end] for span in spans if span.source.startswith("rules:name.")}


@pytest.mark.parametrize("title", NAMED)
def test_the_rules_find_a_name_behind_a_title(title: str) -> None:
    assert find_names(f"Later on {title} Harlow left.") == {"Harlow"}


@pytest.mark.parametrize("title", ["Inspector", "Colonel", "Judge"])
@pytest.mark.parametrize(
    "cue", ["Patient:", "Attending:", "sister", "signed by", "told", "Dear", "Regards,\n"]
)
def test_the_rules_leave_a_title_out_behind_every_cue(cue: str, title: str) -> None:
    assert find_names(f"{cue} {title} Ann Harlow,") == {"Ann Harlow"}


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_title_leads_a_name_for_the_rules_and_for_the_name_operator(title: str) -> None:
    written = title.capitalize()
    for before in ("Seen with", "Later on"):
        found = find_names(f"{before} {written} Harlow today.")
        assert "Harlow" in found
        assert found == {"Harlow"} or title not in NEVER_NAMES
    roles = [
        part.role for part in parse_name(f"{written} John Harlow") if part.role != Role.SEPARATOR
    ]
    leading = Role.NAME if title in REPLACED else Role.KEPT
    assert roles == [leading, Role.NAME, Role.NAME]


def test_what_the_name_operator_replaces_is_also_a_name() -> None:
    assert TITLES - KEPT == REPLACED
    assert REPLACED.isdisjoint(NEVER_NAMES)


def test_a_title_has_the_forms_that_its_row_allows() -> None:
    assert title_pattern({"judge"}, with_lower=True) == "(?:JUDGE|Judge)"
    assert title_pattern({"aunt"}, with_lower=True) == "(?:AUNT|Aunt|aunt)"
    assert title_pattern({"aunt"}) == "(?:AUNT|Aunt)"
    assert title_pattern({"lt"}) == "(?:Lt)"


@pytest.mark.parametrize("text", ["LT HIP PAIN", "MME DAILY", "PVT NOTED", "CHIEF COMPLAINT"])
def test_a_mixed_title_in_capitals_leads_no_name(text: str) -> None:
    assert find_names(f"x. {text}\n") == set()
