"""The shift is recovered from what outputs say of their own day, and from nothing else."""

import random
from collections.abc import Sequence
from datetime import date, timedelta

from deidstream.study.attacks.arrival import DatedNote, RecoveredShift, recover_shift

ARRIVAL = date(2024, 3, 5)
OTHER = date(2024, 5, 1)


def day(days: int) -> timedelta:
    return timedelta(days=days)


def note(
    original: Sequence[date], shift: int, *, arrival: date = ARRIVAL, states: bool = False
) -> DatedNote:
    moved = [each + day(shift) for each in original]
    return DatedNote(arrival, original, moved, arrival + day(shift) if states else None)


def test_the_day_of_the_note_gives_the_shift_away() -> None:
    notes = [
        note([ARRIVAL - day(20), ARRIVAL], -111),
        note([OTHER, OTHER - day(3), OTHER + day(14)], -111, arrival=OTHER),
    ]
    assert recover_shift(notes, 365) == RecoveredShift(-111, -111)


def test_what_an_output_states_counts_first() -> None:
    misleading = note([ARRIVAL + day(n) for n in (30, 30, 40)], 7, states=True)
    assert recover_shift([misleading], 365) == RecoveredShift(7, 7)


def test_of_several_days_the_latest_is_taken_for_today() -> None:
    one = note([ARRIVAL - day(9), ARRIVAL - day(4), ARRIVAL], 50)
    assert recover_shift([one], 365).guessed == 50
    # What stands there twice is likelier today than what stands there once.
    two = note([ARRIVAL, ARRIVAL, ARRIVAL + day(30)], 50)
    assert recover_shift([two], 365).guessed == 50


def test_a_date_further_away_than_any_shift_is_passed_over() -> None:
    born = date(1950, 1, 1)
    assert recover_shift([note([born, ARRIVAL], 30)], 365) == RecoveredShift(30, 30)
    assert recover_shift([note([born], 30)], 365) == RecoveredShift(None, 30)


def test_without_dates_there_is_nothing_to_guess() -> None:
    gone = DatedNote(ARRIVAL, [ARRIVAL], [], None)
    assert recover_shift([gone], 365) == RecoveredShift(None, None)
    assert recover_shift([gone], 365).error is None


def test_dates_that_moved_each_by_its_own_give_nothing_away() -> None:
    draws = random.Random(4)
    hits = 0
    for _ in range(200):
        dates = [ARRIVAL - day(draws.randrange(300)) for _ in range(4)] + [ARRIVAL]
        moved = [each + day(draws.randrange(-365, 366)) for each in dates]
        shift = recover_shift([DatedNote(ARRIVAL, dates, moved, None)], 365)
        hits += shift.error == 0
    assert hits < 20


def test_no_record_shows_a_date() -> None:
    assert "2024" not in repr(note([ARRIVAL], 5, states=True))
