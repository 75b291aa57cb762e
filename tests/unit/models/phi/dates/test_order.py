import pytest

from deidstream.models.phi.dates.order import (
    day_first,
    leaning,
    place_signs,
    year_follows_month,
)
from support.marked_dates import shifted


@pytest.mark.parametrize(
    ("date", "leans"),
    [
        ("4 February 2024", 1),
        ("the 4th of Feb", 1),
        ("11.3.45", 1),
        ("February 4, 2024", -1),
        ("Feb 4", -1),
        ("Feb 14th", -1),
        ("Feb 14", 0),
        ("Nov 98", 0),
        ("February 2024", 0),
        ("03/02/2024", 0),
        ("4 " * 100, 0),
    ],
)
def test_a_date_with_its_month_written_out_shows_the_order(date: str, leans: int) -> None:
    assert leaning([date]) == leans


@pytest.mark.parametrize(
    ("number", "sign"),
    [
        ("YO98 4QT", 1),
        ("01632 960417", 1),
        ("(03) 5550 1234", 1),
        ("+61 3 5550 1234", 1),
        ("44199-2200", -1),
        ("(419) 555-0100", -1),
        ("+1 419-555-0100", -1),
        ("K1A 0B1", 0),
        ("ext 12", 0),
    ],
)
def test_a_number_shows_where_a_note_was_written(number: str, sign: int) -> None:
    assert place_signs([number]) == sign


def test_what_numbers_cannot_tell_the_rest_of_the_note_does() -> None:
    assert not day_first(["11/03/1945", "Sat 03/02/2024"])
    assert day_first(["11/03/1945", "Sat 03/02/2024"], None, ["YO98 4QT", "01632 960417"])
    assert day_first(["3/2/24", "4 February 2024"])
    assert not day_first(["03/02/2024"], "en-US", ["YO98 4QT"])
    assert not day_first(["4 February 2024", "12/31/2023"])


@pytest.mark.parametrize(
    ("dates", "leads", "follows"),
    [
        (["Mar 24", "12 May 2024"], False, True),
        (["Mar 24", "Nov 98"], False, True),
        (["Mar 24", "Jun '19", "Nov '98"], False, False),
        (["Mar 24"], True, True),
        (["Mar 24"], False, False),
        (["Mar 24", "May 3, 2024"], False, False),
        (["Mar 24", "Apr 2"], True, False),
        (["Mar 24", "March 2024"], False, False),
    ],
)
def test_the_other_dates_tell_a_year_behind_a_month(
    dates: list[str], *, leads: bool, follows: bool
) -> None:
    assert year_follows_month(dates, leads=leads) is follows


@pytest.mark.parametrize(
    ("marked", "moved"),
    [
        ("Stroke [Mar 24], seen [12 May 2024]", "Stroke Apr 24, seen 20 June 2024"),
        ("Treated [Jun 19] to [Aug 20], seen [14/05/2024]", "Treated Jul 19 to Sep 20, seen "),
        ("Stroke [Mar 24], seen [May 12, 2024]", "Stroke May 2, seen June 20, 2024"),
        ("Stroke [Mar 24] 10:30, seen [12 May 2024]", "Stroke Apr 24 10:30, seen 20 June 2024"),
        ("Arrest [Mar 24 10:30], seen [12 May 2024]", "Arrest May 2 10:30, seen 20 June 2024"),
        ("Due [Mar 31], seen [12 May 2024]", "Due May 9, seen 20 June 2024"),
        ("Scan [24 Mar], seen [12 May 2024]", "Scan 2 May, seen 20 June 2024"),
        ("MI [Nov 98], PCI [Jan 04]", "MI Dec 98, PCI Feb 04"),
        ("In [2025/Oct/14], well [Oct 16], seen [22-10-2025]", "In 2025/Nov/22, well Nov 24, "),
        ("In [2025-Oct-14], well [Oct 16], seen [22/10/2025]", "In 2025-Nov-22, well Nov 24, "),
    ],
)
def test_a_month_of_a_year_moves_as_a_month(marked: str, moved: str) -> None:
    assert shifted(marked, 39).startswith(moved)


def test_the_spelling_tells_the_order_where_no_date_does() -> None:
    assert day_first(["03/02/2024"], note="Anaemia, for paediatric review.")
    assert not day_first(["03/02/2024"], note="Anemia, for pediatric review.")
    assert not day_first(["03/02/2024"], note="Anaemia.", numbers=["(419) 555-0100"])
    assert not day_first(["12/31/2023", "03/02/2024"], note="Anaemia, for paediatric review.")
    assert not day_first(["03/02/2024"], "en-US", note="Anaemia, for paediatric review.")


@pytest.mark.parametrize(
    ("note", "follows"),
    [
        ("fell on the evening of March 11, seen 13 March 2025", False),
        ("fell on March 11; seen 13 March 2025", False),
        ("dx March 11; seen 13 March 2025", True),
        ("on March 1999; seen 13 March 2025", True),
    ],
)
def test_digits_of_a_day_that_something_was_on_are_no_year(note: str, *, follows: bool) -> None:
    assert year_follows_month(["13 March 2025"], leads=True, note=note) is follows


@pytest.mark.parametrize(
    ("lines", "leads"),
    [
        (["07/09/24", "08/09/24"], True),
        (["07/09/24", "07/10/24"], False),
        (["11/12/24", "01/01/25"], True),
        (["01/07/24", "01/08/24", "02/08/24"], False),
        (["07/09/24"], False),
    ],
)
def test_the_lines_of_a_chat_ascend_in_one_order(lines: list[str], *, leads: bool) -> None:
    note = "\n".join(f"{day}, 11:5{place} - Asha: ok" for place, day in enumerate(lines))
    assert day_first(lines, note=note) is leads
    assert day_first(["08/07/24"], note=note) is leads


def test_a_date_over_twelve_outweighs_the_lines() -> None:
    assert day_first(["25/12/2023"], note="07/09/24, 11:53 - A: ok\n07/10/24, 11:53 - B: ok")
