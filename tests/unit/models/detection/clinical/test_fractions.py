"""Numbers with slashes: scores, lengths of time and strengths beside days and months."""

import pytest

from deidstream.models.detection.clinical.fractions import find_fraction_values
from deidstream.models.detection.clinical.value import DATES, NUMERIC
from deidstream.models.detection.stretches import Stretches
from deidstream.schemas.label import PhiLabel
from support.clinical_values import texts_of

AMERICAN = "Seen 3/28/24 and 4/02/2024. "
BRITISH = "Seen 14/05/2024, amoxicillin 500 mg tds. "
"""Notes with dates of their own, which tell the month of another."""


def values(text: str) -> list[str]:
    return texts_of(text, find_fraction_values(text, Stretches([0], [len(text)])))


@pytest.mark.parametrize(
    "text",
    [
        "BP 120/80, later 96/58",
        "strength 5/5 in RUE",
        "power 4/5 L arm",
        "pain 3/10 at rest",
        "scored 24/30 on the MMSE",
        "GCS 15/15",
        "GCS 3/15 at scene",
        "PHQ9 24/27",
        "3/6 systolic murmur",
        "VA 6/9 R, 6/12 L",
        "left 6/6, right 6/9 unaided",
        "6/6    6/6   recheck",
        "6/12 and 6/36",
        "vision 20/15",
        "Augmentin 875/125 bd",
        "Sinemet 25/100",
        "ramipril 20/12.5 mg",
        "ABG 7.29/38/88/18",
        "bloods 0/1/2/4 h",
        "power 0/5 then 1/5",
        "hapu 20/40",
        "fluids at 8/40",
        "page 1/2",
        "coughing x 3/7",
        "rash 2/52 ago",
        "pain 5/12 ago",
        "co-amoxiclav 625 tds 5/7",
        "nitrofurantoin 100 mg bd for 3/7",
        "neck 1/2 tablet",
        "Apgars 9/10, 10/10",
        "pain falling from 8/10 to 5/10",
        "must reply in 14/7, then 10 mg for 6/12",
        "DLQI 3/30",
        "teach back 3/3",
        "pain is better, 2/10",
        "elastics 3/16 6 oz",
        "gained 6 kg in 12/12",
        "stay approx. 21/7",
        "L4/5 radic, 4/5 EHL",
    ],
)
def test_finds_values_by_form_and_by_the_words_beside_them(text: str) -> None:
    assert values(text)


@pytest.mark.parametrize(
    "text",
    [
        "seen 3/7 by Dr Vance",
        "DOB 5/5/80",
        "DOB 5/5",
        "appt 3/10 at 2pm",
        "last BM 4/5",
        "started 2/7, stop 9/7",
        "scheduled for 3/7",
        "labs on 4/6",
        "bx 7/30: G",
        "admitted 10/15 0300",
        "CT 3/7 showed no stone",
        "Mon 1/4   65 mg",
        "3/5 0800 spit out meds",
        "LMP 6/10",
        "cancer 6/98",
        "until 9/7",
        "03/04 given",
        "from 3/4-3/9",
        "record 314/23",
        "lcd 3/10, next rev 3/9",
        "born May 30/49",
        "DNA 4/12",
        "with Dr. Bishop 4/4",
        "3/30/31 / 4/9/31",
        "2/11 to 9/11 in Ottawa",
        "booked 4/12 -> 18/12",
        "last dose 8/8",
        "amoxicillin, finished 1/7",
        "5/10 visit",
        "8/8 pm",
    ],
)
@pytest.mark.parametrize("before", ["", AMERICAN])
def test_leaves_dates_and_ages(before: str, text: str) -> None:
    assert values(before + text) == []


@pytest.mark.parametrize(
    "text", ["fever for 3/7", "review in 6/52", "CT in 3/12", "NWB 2/12", "cough 10/7, no SOB"]
)
def test_reads_lengths_of_time_in_a_note_of_british_style(text: str) -> None:
    assert len(values(BRITISH + text)) == 1


@pytest.mark.parametrize(
    "text",
    ["appt for 3/7", "seen 3/7", "since 3/7", "on 9/12", "DOB 3/7", "Tue 6/12", "3/7 0900 seen"],
)
def test_leaves_dates_in_a_note_of_british_style(text: str) -> None:
    assert values(BRITISH + text) == []


def test_leaves_what_may_be_a_length_of_time_where_dates_have_that_month() -> None:
    assert values("Seen 04/07/2024, amoxicillin 500 mg tds. Swab 3/7, result 8/7") == []


def test_reads_a_score_where_no_date_of_the_note_has_that_month() -> None:
    assert values("Dental visit 24/03/2025. Sore today: 3/10, soft diet") == ["3/10"]
    assert values("Dental visit 24/10/2025. Sore today: 3/10, soft diet") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pain 03/04/2024\n3/10\nNausea none", ["3/10"]),
        ("Pain (March 4, 2024):\n3/10", ["3/10"]),
        ("Biceps 4 March 2024\n 4/5", ["4/5"]),
        ("Admitted 03/01/2024\n3/10 febrile", []),
        ("Pain better. Seen 03/04/2024\n3/10", []),
        ("Pain\n3/10", []),
    ],
)
def test_the_name_of_a_value_may_stand_above_it_with_its_day(text: str, found: list[str]) -> None:
    assert values(text) == found


def test_keeps_entries_of_a_log() -> None:
    assert values("Printed 24/03/2025\n3/10 changed dressing\n4/10 reviewed") == []


def test_the_mark_of_a_scale_says_nothing_of_the_order_of_dates() -> None:
    assert values("POEM 9/28, flucloxacillin qds, reply in 14/7") == ["9/28", "14/7"]
    assert values("seen 9/28, flucloxacillin qds, reply in 14/7") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.5/10", ["1.5/10"]),
        ("1/2/4/8 h", ["1/2/4/8"]),
        ("3/5/7", ["3/5/7"]),
        ("0/5/80, 5/0/80", ["0/5/80", "5/0/80"]),
        ("32/5/80, 5/32/80", ["32/5/80", "5/32/80"]),
        ("120/80", ["120/80"]),
        ("314/23", []),
        ("5/100", ["5/100"]),
        ("0/5", ["0/5"]),
        ("5/0", ["5/0"]),
        ("5/00", []),
        ("15/15", ["15/15"]),
        ("32/5", ["32/5"]),
        ("31/5", []),
        ("pain 03/10", []),
    ],
)
def test_the_form_of_numbers_decides(text: str, found: list[str]) -> None:
    assert values(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PEEP 12/5", ["12/5"]),
        ("PSV 12/8", ["12/8"]),
        ("PEEP 5/6", ["5/6"]),
        ("PEEP 5/12", []),
        ("murmur 2/6", ["2/6"]),
        ("murmur 2/4", []),
        ("biceps 4/5", ["4/5"]),
        ("biceps 6/5", []),
        ("biceps 4/6", []),
        ("pain 3/8", []),
        ("pain 12/10", []),
        ("left 6/8", []),
        ("seen 3/7 mg", []),
        ("3/9 ago", []),
        (AMERICAN + "tds 5/7", ["5/7"]),
        (AMERICAN + "phone 55501 9/10", []),
        (BRITISH + "Swab 10/7", ["10/7"]),
        (BRITISH + "Swab 10/9", []),
        (BRITISH + "for 3/9", []),
        ("Seen 04/07/2024, amoxicillin 500 mg tds. Swab 3/7 cough", ["3/7"]),
        ("Changed 4/17 per Dr. Lund", []),
        ("Changed 4/17 per shift", ["4/17"]),
        (BRITISH + "died 4/7 per daughter", []),
        ("NCA 20/4", ["20/4"]),
        ("EASI screen 3 /6", ["3 /6"]),
        ("dam, 21/7 rotation", ["21/7"]),
        (BRITISH + "not before 6/12.", ["6/12"]),
        ("CAG 4/12 (radial)", []),
        ('NR 8/4"', []),
    ],
)
def test_words_decide_only_about_numbers_that_they_fit(text: str, found: list[str]) -> None:
    assert values(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("VA 6/9 today, then with an aid 6/12", ["6/9", "6/12"]),
        ("we found 6/9", []),
        ("VA 6/9 today, then with an aid 20/10", ["6/9"]),
        ("VA 6/9, 20/10", ["6/9", "20/10"]),
        ("had 4/5, 3/5, 0/5", ["4/5", "3/5", "0/5"]),
        ("0/8, 3/8", ["0/8", "3/8"]),
        ("0/8 or 3/8", ["0/8"]),
        ("0/8, 3/7", ["0/8"]),
        (BRITISH + "\n10/7, 14/7", ["10/7", "14/7"]),
        ("pain 4/10 (VAS) against 8/10", ["4/10", "8/10"]),
    ],
)
def test_a_value_decides_about_those_beside_it(text: str, found: list[str]) -> None:
    assert values(text) == found


@pytest.mark.parametrize(
    ("text", "refuted"),
    [("since 6/52", NUMERIC), ("6/52", DATES), (BRITISH + "Swab 10/7", DATES)],
)
def test_a_length_of_time_by_its_form_alone_may_be_an_age(
    text: str, refuted: frozenset[PhiLabel]
) -> None:
    (value,) = find_fraction_values(text, Stretches([0], [len(text)]))
    assert value.refutes == refuted


DECEMBER = "Reviewed 03/12/2024, last seen 28/11. "
"""A note whose dates are of the month that twelfths of a year look like."""


@pytest.mark.parametrize(
    "text",
    [
        "27/12 old",
        "this 22/12 boy",
        "a 14/12 girl with croup",
        "13/12 of age",
        "aged 18/12",
        "Age: 18/12, wt 11.2 kg",
        "siblings aged 3 and 18/12",
        "younger than 15/12",
        "walked at 13/12",
        "first words at about 14/12",
        "Brother (22/12) well",
        "sitting alone at 7/12",
        "36/12 old",
    ],
)
def test_an_age_out_of_twelve_is_no_date_in_december(text: str) -> None:
    found = list(find_fraction_values(DECEMBER + text, Stretches([0], [len(DECEMBER + text)])))
    assert [one.refutes for one in found] == [DATES]


@pytest.mark.parametrize("text", ["14/7 old", "6/52 old", "now 4/7 old", "aged 5/7"])
def test_ages_in_days_and_weeks_are_no_dates(text: str) -> None:
    (value,) = find_fraction_values("Seen 02/07/2024. " + text, Stretches([0], [40]))
    assert value.refutes == DATES


@pytest.mark.parametrize(
    "text",
    [
        "Sutures out 18/12",
        "review 18/12 with Dr Hale",
        "Next appt 18/12 at 2pm",
        "walked with frame 13/12",
        "weaned from 14/12",
        "EDD is 18/12",
        "GP appt is now moved, 18/12",
        "Daughter visited 14/12 and 15/12",
        "discharged 18/12",
        "seen with son 18/12",
        "seen by HV (18/12)",
    ],
)
@pytest.mark.parametrize("told", ["", "Aged 17/12, amoxicillin tds. "])
def test_a_day_of_december_is_one_beside_ages_out_of_twelve(told: str, text: str) -> None:
    assert "18/12" not in (found := values(DECEMBER + told + text))
    assert not {"13/12", "14/12", "15/12"} & set(found)


def test_an_age_tells_those_of_its_note_that_a_date_would_hardly_stand_for() -> None:
    assert values(DECEMBER + "Now 18/12. Sister aged 4/12.") == ["18/12", "4/12"]
    assert values(DECEMBER + "Now 18/12. Sister aged 4.") == []
    assert values(DECEMBER + "She is 18/12. Last seen aged 17/12.") == ["18/12", "17/12"]
    assert values(DECEMBER + "Now 18/12 0900 given. Sister aged 4/12.") == ["4/12"]


def test_how_often_in_so_many_months_is_a_length() -> None:
    assert values(DECEMBER + "Otitis x3 in 6/12") == ["6/12"]
    assert values(DECEMBER + "Seen in 6/12 clinic") == []


@pytest.mark.parametrize(("word", "found"), [("0/5", ["0/5"]), ("5/5/80", []), ("seen", [])])
def test_a_note_is_read_only_for_what_is_no_date_by_its_form(word: str, found: list[str]) -> None:
    text = "seen 5/5/80, had 0/5"
    start = text.index(word)
    places = Stretches([start], [start + len(word)])
    assert texts_of(text, find_fraction_values(text, places)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sx 14/22 at once. Day 3: sx 6/22", ["14/22", "6/22"]),
        ("|17/45|x\n|12/4|x\n", ["17/45", "12/4"]),
        ("|17/45|x\n|x|12/4|\n", ["17/45"]),
        ("|17/45|x\n|12/4 ok|x\n", ["17/45"]),
        ('out of strips 3/8", tape', ["3/8"]),
        ('said "see you 3/8", left', []),
        ("well till 4/3 pta", []),
        ("well till 4/7 PTA", ["4/7"]),
        ("bed 4/17", ["4/17"]),
    ],
)
def test_the_rest_of_the_note_tells_what_is_counted(text: str, found: list[str]) -> None:
    assert values(f"Seen 3/28/24. {text}") == found


def test_a_length_tells_another_one_in_a_month_that_the_note_has_not() -> None:
    head = "Adm 02/08/2024, nocte meds. "
    assert values(f"{head}Came 5/7 PND. Pred x 3/7.") == ["5/7", "3/7"]
    assert values(f"{head}Came 5/7 PND.") == []
    assert values(f"{head}Home 14/7/24. Came 5/7 PND. Pred x 3/7.") == ["3/7"]
