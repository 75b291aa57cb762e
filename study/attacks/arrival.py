"""Recover the shift of a patient's dates from the times at which the notes arrived.

An output of a stream arrives soon after its note was written, and most notes name the day on which
they were written. So the day that an output names, less the day on which it arrived, is the shift
of all dates of its patient.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class DatedNote:
    """The dates of an original and of its output."""

    arrival: date = field(repr=False)
    """When the output arrived."""
    original: Sequence[date] = field(repr=False)
    """Dates of its text, which the attacker does not see."""
    output: Sequence[date] = field(repr=False)
    """Dates of its text."""
    stated: date | None = field(repr=False)
    """When the output says that it was written."""


@dataclass(frozen=True, slots=True)
class RecoveredShift:
    """What an attacker makes of the notes of one patient, in days."""

    guessed: int | None
    """``None`` where no output has a date near enough."""
    actual: int | None
    """``None`` where it cannot be seen, as where outputs have no dates."""

    @property
    def error(self) -> int | None:
        """How far the guess is off; ``None`` where nothing was guessed or nothing is known."""
        if self.guessed is None or self.actual is None:
            return None
        return abs(self.guessed - self.actual)


def recover_shift(notes: Sequence[DatedNote], most: int) -> RecoveredShift:
    """Guess the shift of one patient, and find the actual one to compare it with.

    Args:
        notes: Of one patient.
        most: The greatest shift in days, which the attacker knows of the policy.
    """
    return RecoveredShift(_guess_shift(notes, most), _find_shift(notes, most))


def _guess_shift(notes: Sequence[DatedNote], most: int) -> int | None:
    """Return the difference that most notes have to their arrival; of several, the latest.

    What an output says of itself counts before all that stands in its text.
    """
    if stated := _stated_shifts(notes, most):
        return _most_frequent([stated])
    differences = [[(day - note.arrival).days for day in note.output] for note in notes]
    return _most_frequent([[d for d in one if abs(d) <= most] for one in differences])


def _stated_shifts(notes: Sequence[DatedNote], most: int) -> list[int]:
    moved = [(note.stated - note.arrival).days for note in notes if note.stated is not None]
    return [days for days in moved if abs(days) <= most]


def _most_frequent(differences: Iterable[Sequence[int]]) -> int | None:
    """Return the difference of most notes; then the one that stands there oftenest, then latest."""
    in_notes, at_all = Counter[int](), Counter[int]()
    for one in differences:
        in_notes.update(set(one))
        at_all.update(one)
    return max(in_notes, key=lambda d: (in_notes[d], at_all[d], d), default=None)


def _find_shift(notes: Sequence[DatedNote], most: int) -> int | None:
    """Return the days that most dates moved; ``None`` where several are as frequent.

    The original states its arrival, so an output that states it too shows the shift.
    """
    if stated := _stated_shifts(notes, most):
        return _most_frequent([stated])
    moved = Counter(
        (new - old).days
        for note in notes
        for new in set(note.output)
        for old in set(note.original)
        if abs((new - old).days) <= most
    )
    ranked = moved.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
