"""Ages of a note move together and keep their unit and stage of life."""

import random

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.age_text import fresh_age, like_age, reform_age, spell_american
from deidstream.study.corpus.fillers.word_lists import Lists, Pen, Site

SEEDS = range(60)


def pen(seed: int) -> Pen:
    return Pen(random.Random(seed), Lists({}, (), (), ()))


def like(text: str, seed: int) -> str:
    return like_age(pen(seed), Site(PhiLabel.AGE, text)) or ""


@pytest.mark.parametrize("seed", SEEDS)
def test_grown_people_stay_grown_and_children_stay_of_their_stage(seed: int) -> None:
    assert 18 <= int(like("58", seed)) <= 104
    assert 6 <= int(like("9", seed)) <= 12
    assert 13 <= int(like("17", seed)) <= 17


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        ("15-month", "-month"),
        ("17 days", " days"),
        ("63 yo", " yo"),
        ("9-year-old", "-year-old"),
        ("30s", "s"),
        ("14/12", "/12"),
        ("6-MONTH", "-MONTH"),
    ],
)
def test_the_unit_stays(text: str, tail: str) -> None:
    for seed in SEEDS:
        assert like(text, seed).endswith(tail)


@pytest.mark.parametrize("text", ["fifty-six", "sixty nine", "ELEVEN", "thirties"])
def test_words_stay_words(text: str) -> None:
    for seed in SEEDS:
        written = like(text, seed)
        assert written.replace("-", "").replace(" ", "").isalpha()
        assert written.isupper() == text.isupper()


def test_an_ordinal_keeps_its_right_ending() -> None:
    assert {like("21st", seed)[-2:] for seed in SEEDS} <= {"st", "nd", "rd", "th"}
    assert not any(like("21st", seed) in {"11st", "12nd", "13rd"} for seed in SEEDS)


def test_another_form_is_words_for_figures_and_figures_for_words() -> None:
    words = {reform_age(pen(seed), Site(PhiLabel.AGE, "58")) for seed in SEEDS} - {None}
    figures = {reform_age(pen(seed), Site(PhiLabel.AGE, "fifty-eight")) for seed in SEEDS} - {None}
    assert words
    assert all(word and word[0].isalpha() for word in words)
    assert all(figure and figure.isdigit() for figure in figures)


def test_figures_before_a_unit_stay_figures() -> None:
    site = Site(PhiLabel.AGE, "58", after="yo man")
    assert all(reform_age(pen(seed), site) is None for seed in SEEDS)


@pytest.mark.parametrize("text", ["", "old enough", "4711", "9" * 200])
def test_what_is_no_age_is_not_written(text: str) -> None:
    assert like_age(pen(1), Site(PhiLabel.AGE, text)) is None


def test_counts_are_spelled() -> None:
    assert [spell_american(n) for n in (0, 19, 56, 100, 104)] == [
        "zero",
        "nineteen",
        "fifty-six",
        "one hundred",
        "one hundred four",
    ]


def test_fresh_ages_are_of_many_forms() -> None:
    writer = pen(1)
    written = {fresh_age(writer) for _ in range(2000)}
    assert {"forties", "70s", "sixty-five"} & written
    assert any("month" in text for text in written)
