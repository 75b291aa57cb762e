import pytest

from deidstream.models.phi.dates.order import day_first, leaning, place_signs


@pytest.mark.parametrize(
    ("date", "leans"),
    [
        ("4 February 2024", 1),
        ("the 4th of Feb", 1),
        ("11.3.45", 1),
        ("February 4, 2024", -1),
        ("Feb 4", -1),
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
