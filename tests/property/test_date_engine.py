"""What can be found can be shifted, and what can be shifted is found."""

import re
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.mention import Mention
from deidstream.models.operators.shift_date import ShiftDate
from deidstream.models.phi.dates.calendar import MISSPELT_MONTHS, MONTHS, ROMAN
from deidstream.models.phi.dates.date_forms import FOREIGN_FORMS, date_forms
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.rules import dates, dates_in_words, years
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote

RULES = RulesRecognizer()
MOVES = ShiftDate()
DAYS = st.dates(date(1951, 1, 1), date(2048, 12, 31))
WORDED = tuple(form for form in range(len(MONTHS)) if form != ROMAN)
NOT_DATES_ALONE = re.compile(
    r"[0-9]{6,8}"  # digits together are dates only after a cue
    r"|[0-9]+ [0-9]+ [0-9]+"  # numbers between blanks are anything
    r"|(?i:.*[0-9](?:st|nd|rd|th)[-/.]?[A-Z].*)"  # 9th-Feb-1973 is written by nobody
    r"|.*\b(?:st|nd|rd|th)[/.-].*|.*[A-Za-z]\.[/.-].*|[0-9]+(?:st|nd|rd|th)?[A-Za-z]+\.[0-9]+"
    r"|[A-Z][a-z]+\.? [0-9]+(?:st|nd|rd|th)? [0-9]{2}"  # the rules stop after the day
)
"""Forms of a known date that are sought because they are known, and mean no date by themselves."""


def found(text: str) -> set[str]:
    (spans,) = RULES.recognize([RawNote("n", "p", text)])
    return {text[span.start : span.end] for span in spans if span.label is PhiLabel.DATE}


def shifted(text: str, days: int = 10) -> str:
    mention = Mention(text, PhiLabel.DATE)
    return MOVES.render(mention, dict.fromkeys(MOVES.identities(mention), f"{days:+d}"))


def examples() -> Iterator[tuple[str, str]]:
    for module in (dates, dates_in_words, years):
        for rule in module.RULES:
            for example in rule.found:
                yield from ((rule.id, text) for text in re.findall(r"\[\[(.*?)\]\]", example))


@pytest.mark.parametrize(
    ("text", "ten_days_later"),
    [
        ("3 januari 2024", "13 januari 2024"),
        ("12 februari 2024", "22 februari 2024"),
        ("4 augustus 2024", "14 augustus 2024"),
        ("14 julai 2024", "24 julai 2024"),
        ("28 févr. 2024", "9 mars 2024"),
        ("15 janv. 2024", "25 janv. 2024"),
        ("9 juil. 2024", "19 juil. 2024"),
        ("3 dic 2024", "13 dic 2024"),
        ("5 ene 2024", "15 ene 2024"),
        ("7 abr 2024", "17 abr 2024"),
        ("2 ago 2024", "12 ago 2024"),
        ("4 mrt 2024", "14 mrt 2024"),
        ("9 aout 2024", "19 aout 2024"),
        ("4 decembre 2024", "14 decembre 2024"),
        ("3 DÉC. 2024", "13 DÉC. 2024"),
        ("4 setpember 2024", "14 september 2024"),
        ("lundi 3 juin 2024", "jeudi 13 juin 2024"),
        ("5 de set. de 2024", "15 de set. de 2024"),
        ("3-DIC-2024", "13-DIC-2024"),
    ],
)
def test_dates_of_other_languages_are_found_and_shifted(text: str, ten_days_later: str) -> None:
    assert text in found(f"Seen on {text} in clinic.")
    assert shifted(text) == ten_days_later


@pytest.mark.parametrize("word", MISSPELT_MONTHS)
def test_every_misspelling_that_is_found_is_shifted(word: str) -> None:
    assert f"4 {word} 2024" in found(f"Seen on 4 {word} 2024 in clinic.")
    assert shifted(f"4 {word} 2024") != "[DATE]"


@pytest.mark.parametrize(("rule", "text"), sorted({*examples()}))
def test_what_a_rule_of_dates_finds_can_be_shifted(rule: str, text: str) -> None:
    assert shifted(text) != "[DATE]", rule


@settings(max_examples=40)
@given(DAYS, st.sampled_from(WORDED), st.sampled_from(FOREIGN_FORMS), st.booleans())
def test_what_the_writer_writes_is_found(
    day: date,
    form: int,
    written: str,
    capital: bool,  # noqa: FBT001
) -> None:
    word = MONTHS[form].words[day.month - 1]
    text = written.format(d=day.day, month=word.capitalize() if capital else word, y=day.year)
    assert text in found(f"Seen on {text} in clinic.")
    moved = shifted(text, 129)
    assert moved != "[DATE]"
    assert moved in found(f"Seen on {moved} in clinic.")
    # Not always to the same word: "september" is a month of five languages.
    assert shifted(moved, -129) != "[DATE]"


@pytest.mark.parametrize("day", ["2024-01-01", "2024-05-09", "2024-09-03", "2031-12-21"])
def test_every_form_of_a_known_date_is_found_by_the_rules(day: str) -> None:
    forms = [form for form in sorted(date_forms(day)) if not NOT_DATES_ALONE.fullmatch(form)]
    # One text: each rule runs over it once.
    text = "".join(f"Seen on {form} in clinic.\n" for form in forms)
    assert set(forms) - found(text) == set()


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("2024-05-24", "vu le 24 mai 2024"),
        ("24 mai 2024", "May 24, 2024"),
        ("24. Mai 2024", "el 24 de mayo de 2024"),
        ("20240524", "op 24 mei 2024"),
        ("28 févr. 2024", "2024-02-28"),
        ("1 janvier 2024", "le 1er janv. 2024"),
    ],
)
def test_a_known_date_is_found_in_every_language(known: str, text: str) -> None:
    note = RawNote("n", "p", text, known=KnownIdentifiers(dates=(known,)))
    (spans,) = KnownRecognizer().recognize([note])
    assert [span.label for span in spans] == [PhiLabel.DATE]
