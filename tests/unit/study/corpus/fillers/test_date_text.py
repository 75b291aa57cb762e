"""Dates of a note move together, in their own form or in another."""

import random
from datetime import date

import pytest

from deidstream.models.phi.dates.calendar import ORDINALS
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.fillers.date_text import fresh_date, like_date, reform_date
from deidstream.study.corpus.fillers.word_lists import Lists, Pen, Site

SEEDS = range(60)
PARTS = ["12/30", "July 2029", "Thursday", "1998", "mid-October", "Sat 3/4"]


def pen(seed: int) -> Pen:
    return Pen(random.Random(seed), Lists({}, (), (), ()))


def site(text: str, *, day_first: bool = False) -> Site:
    return Site(PhiLabel.DATE, text, day_first=day_first)


@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_stay(seed: int) -> None:
    writer = pen(seed)
    moved = [like_date(writer, site(text)) or "" for text in ("2031-02-11", "2031-02-18")]
    first, second = map(date.fromisoformat, moved)
    assert (second - first).days == 7


@pytest.mark.parametrize("seed", SEEDS)
def test_another_form_is_the_same_day(seed: int) -> None:
    writer = pen(seed)
    moved = date.fromisoformat(like_date(writer, site("2031-02-11")) or "")
    for text in ("2031-02-11", "February 11, 2031"):
        written = reform_date(writer, site(text)) or ""
        assert str(moved.day) in written or ORDINALS[moved.day - 1] in written
        assert f"{moved.year % 100:02d}" in written


@pytest.mark.parametrize("text", PARTS)
def test_a_part_of_a_date_keeps_telling_as_much(text: str) -> None:
    whole = {reform_date(pen(seed), site("3/4/2031")) for seed in SEEDS}
    for seed in SEEDS:
        written = reform_date(pen(seed), site(text))
        assert written not in whole


def test_dates_written_alike_stay_alike() -> None:
    for seed in SEEDS:
        writer = pen(seed)
        written = [reform_date(writer, site(f"2031-02-{day}")) or "" for day in (11, 12, 13)]
        assert len({sum(map(str.isalpha, text)) > 0 for text in written}) == 1


def test_a_weekday_beside_a_whole_date_is_the_right_one() -> None:
    for seed in SEEDS:
        written = like_date(pen(seed), site("Tuesday 2031-02-11")) or ""
        weekday, day = written.split(" ")
        assert date.fromisoformat(day).strftime("%A") == weekday


def test_a_holiday_becomes_another() -> None:
    written = {like_date(pen(seed), site("Thanksgiving 2024")) for seed in SEEDS}
    assert len(written) > 20
    assert (
        like_date(pen(1), site("THANKSGIVING"))
        == str(like_date(pen(1), site("Thanksgiving"))).upper()
    )


@pytest.mark.parametrize("text", ["harmattan", "31/31/2031", "x" * 500, "9" * 500])
def test_what_is_no_date_is_not_written(text: str) -> None:
    assert like_date(pen(1), site(text)) is None
    assert reform_date(pen(1), site(text)) is None


def test_day_first_is_read_as_such() -> None:
    written = reform_date(pen(2), site("03/04/2031", day_first=True))
    other = reform_date(pen(2), site("03/04/2031"))
    assert written != other


def test_fresh_dates_are_of_every_form() -> None:
    writer = pen(1)
    written = [fresh_date(writer) for _ in range(3000)]
    for form in ("-", "/", ".", "of", "th", "day", "'", "s", "JAN"):
        assert any(form in text for text in written)
    assert not any(":" in text for text in written)
