"""How long the oldest unread message has waited."""

from deidstream.schemas.outcome import Coordinates
from deidstream.stream.delivery.note_ages import MOST_ENDS, NoteAges

PLACE = ("raw", 0)


def at(offset: int) -> Coordinates:
    return Coordinates(*PLACE, offset)


def test_a_message_in_work_is_as_old_as_it_says() -> None:
    ages = NoteAges()
    ages.take([at(7), at(8)], [100.0, 130.0])
    assert ages.look(PLACE, 7, 9, 150.0) == 50.0
    ages.drop([at(7)])
    assert ages.look(PLACE, 8, 9, 151.0) == 21.0


def test_a_message_that_lies_in_kafka_is_as_old_as_the_look_that_saw_it() -> None:
    ages = NoteAges()
    assert ages.look(PLACE, 5, 6, 100.0) == 0.0
    assert ages.look(PLACE, 5, 9, 110.0) == 10.0
    assert ages.look(PLACE, 6, 9, 120.0) == 10.0
    assert ages.look(PLACE, 9, 9, 130.0) == 0.0


def test_nothing_unread_has_no_age_even_while_it_is_in_work() -> None:
    ages = NoteAges()
    ages.take([at(1)], [1.0])
    assert ages.look(PLACE, 2, 2, 100.0) == 0.0


def test_a_time_that_is_not_known_is_not_used() -> None:
    ages = NoteAges()
    ages.take([at(1)], [None])
    assert ages.look(PLACE, 1, 2, 100.0) == 0.0


def test_a_clock_ahead_makes_no_negative_age() -> None:
    ages = NoteAges()
    ages.take([at(1)], [500.0])
    assert ages.look(PLACE, 1, 2, 100.0) == 0.0


def test_a_long_wait_keeps_few_looks_and_the_first_of_them() -> None:
    ages = NoteAges()
    for second in range(3 * MOST_ENDS):
        age = ages.look(PLACE, 0, second + 1, float(second))
        assert age == second
