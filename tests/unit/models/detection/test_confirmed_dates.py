"""Dates in numbers are certain where their note confirms them, and scores stay."""

import pytest

from deidstream.models.detection.calibration import Calibration
from deidstream.models.detection.confirmed_dates import confirm_dates
from deidstream.models.detection.reconcile import CONFIRMED
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

HEAD = "Seen 24/4/2006. "


def confirm(text: str, *, tagged: float = 0, source: str = "tagger") -> list[str]:
    """Return the confirmed dates of a note whose marked one the tagger scores so."""
    before, _, rest = text.partition("[")
    marked, _, after = rest.partition("]")
    plain = HEAD + before + marked + after
    head = Span(5, 14, PhiLabel.DATE, 0.99, "tagger")
    spans = [head, Span(5, 14, PhiLabel.DATE, 0.95, "rules:date.numeric")]
    if tagged:
        start = len(HEAD + before)
        spans.append(Span(start, start + len(marked), PhiLabel.DATE, tagged, source))
    found = confirm_dates(plain, spans)
    certain = [s for s in found if s.source.startswith("rules") and s.score >= CONFIRMED]
    return [plain[s.start : s.end] for s in certain if s.start >= len(HEAD)]


@pytest.mark.parametrize("text", ["CT [19/5] neg", "lap [17/4] neg", "CT [14/11] ok", "on [03/04]"])
def test_what_can_be_no_score_and_was_read_as_a_date_is_one(text: str) -> None:
    written = text[text.index("[") + 1 : text.index("]")]
    assert confirm(text, tagged=0.6) == [written]


@pytest.mark.parametrize("source", [POSSIBLE, "tagger"])
def test_a_hint_is_enough_about_the_months_of_the_note(source: str) -> None:
    assert confirm("lap [17/4] neg", tagged=0.1, source=source) == ["17/4"]
    assert confirm("lap [10/9] neg", tagged=0.1, source=source) == []


@pytest.mark.parametrize(
    "text",
    [
        "lap [1/8] neg",
        "sore today [4/10]",
        "Pain 17/4, power [4/5]",
        "perio 5 4 [5 / 4] 3",
        "GCS [3/15]",
        "for [3/7] then stop",
        "CT 19/5 neg",
    ],
)
def test_what_may_be_a_score_and_what_nobody_saw_stays(text: str) -> None:
    assert confirm(text, tagged=0.6 if "[" in text else 0) == []


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("INR [3/4] 5/4 7/4 \n", ["3/4", "5/4", "7/4"]),
        ("INR [30/3] 1/4 3/4", ["30/3", "1/4", "3/4"]),
        ("INR [1/5] 3/5 5/5\n2.1 2.4 2.6\n", ["1/5", "3/5", "5/5"]),
        ("Power [1/5] 3/5 5/5\n", []),
        ("Sees [6/6] 6/9 6/12\n", []),
        ("Doses [3/5] 2/5 1/5", []),
    ],
)
def test_days_that_ascend_in_a_row_are_dates(text: str, dates: list[str]) -> None:
    assert confirm(text, tagged=0.05, source=POSSIBLE) == dates


def test_a_whole_date_is_certain_beside_one_of_its_years() -> None:
    text = "Seen 21-8-13. IV 27-5-14, lot 01-02-75. Born 3-1-12"
    spans = [Span(5, 12, PhiLabel.DATE, 0.99, "tagger")]
    for date in ("27-5-14", "01-02-75"):
        start = text.index(date)
        spans.append(Span(start, start + len(date), PhiLabel.DATE, 0.95, "rules:date.numeric"))
    scores = {text[s.start : s.end]: s.score for s in confirm_dates(text, spans)}
    assert scores == {"21-8-13": 0.99, "27-5-14": CONFIRMED, "01-02-75": 0.95}


def test_a_confirmed_date_is_no_doubtful_one() -> None:
    span = Span(0, 4, PhiLabel.DATE, CONFIRMED, "rules:date.partial")
    (judged,) = Calibration({}).calibrate("12/3", [span], [])
    assert judged.score >= 0.95


def test_a_word_or_a_time_beside_it_makes_a_date_of_what_may_be_a_score() -> None:
    assert confirm("K [3/5] 6am", tagged=0.1, source=POSSIBLE) == ["3/5"]
    assert confirm("K [3/5] low", tagged=0.1, source=POSSIBLE) == []


def test_a_length_of_time_needs_the_very_month() -> None:
    british = "on bd, nocte meds. dx"
    assert confirm(f"{british} [7/12]", tagged=0.6) == []
    assert confirm(f"Home 4/12/06, {british} [7/12]", tagged=0.6) == ["7/12"]


@pytest.mark.parametrize("written", ["19-5", "3-4"])
def test_a_day_with_a_hyphen_is_certain_about_the_months_of_the_note(written: str) -> None:
    assert confirm(f"TTE [{written}] fair", tagged=0.9) == [written]
    assert confirm(f"TTE [{written}] fair", tagged=0.7) == []
    assert confirm(f"TTE [{written[:-1]}9] fair", tagged=0.9) == []


def test_a_date_with_the_year_first_confirms_one_with_the_year_last() -> None:
    text = "Made 2024-05-31 08:13; to maint 5/30/24"
    spans = [
        Span(5, 15, PhiLabel.DATE, 0.99, "tagger"),
        Span(text.index("5/30"), len(text), PhiLabel.DATE, 0.95, "rules:date.numeric"),
    ]
    assert [s.score for s in confirm_dates(text, spans)] == [0.99, CONFIRMED]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("visited on [December 22] and 23.", ["23"]),
        ("away [April 10]-17; back", ["17"]),
        ("HD (18 and [20 June])", ["18"]),
        ("away [April 10]-09", []),
        ("on [April 10] and 17mg", []),
        ("on [April 10], 17 units", []),
        ("on [April 10]-17:30", []),
    ],
)
def test_a_day_alone_is_certain_beside_a_date(text: str, dates: list[str]) -> None:
    assert confirm(text, tagged=0.99) == dates


def test_the_very_month_and_a_word_of_dates_are_enough() -> None:
    said = "Cx 2/4 Proteus, lap [19/4] neg, BCx 3/4 sets, wound 2/4"
    assert confirm(said, tagged=0.01, source=POSSIBLE) == ["2/4", "19/4"]
