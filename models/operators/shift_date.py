"""Move every date of a patient by the same hidden number of days, in the form it was written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidstream.models.date_reading import DateReading, Field, Slot
from deidstream.models.mention import Draws, Identity, Mention, NoteFacts, NoteYears
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.dates.age_limit import shows_age, years_of
from deidstream.models.phi.dates.fields import split_fields
from deidstream.models.phi.dates.meaning import Moved, move
from deidstream.models.phi.dates.ranges import dates_of
from deidstream.models.phi.dates.read_date import LONGEST, normalise
from deidstream.models.phi.dates.write_date import add_month, rotate_pattern, write
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle, Weekday

SHIFT = Identity("date.shift")
_WEEK, _YEAR = 7, 365.25
_LEAST = 30
"""Days; a date that moved by less still says the month, and often the admission."""


@dataclass(frozen=True, slots=True)
class _Move:
    """Where a date moves, and where the date moves that has the month of it."""

    own: Moved
    of_month: Moved


@dataclass(frozen=True, slots=True)
class ShiftDate:
    """Dates move by whole days; intervals between fully written dates stay exactly.

    The shift is 30 days at least, or half of ``max_shift_days`` if that is less, and never within
    30 days of whole years, so that a day and a month without a year always change. If weekdays
    agree, it is never whole weeks either, so that a weekday always changes; if weekdays are kept,
    it is whole weeks, and a weekday alone does not change. A month alone moves with the date of the
    note beside it, a quarter or season alone by one at least. Years and decades alone move from
    their middle and may therefore stay. What cannot be read, or is more than ``cap`` years before
    the note, becomes
    ``[DATE]``. Shifting hides dates from readers, not from somebody who knows one of them, or the
    arrival time of the note.
    """

    max_shift_days: int = 365
    weekday: Weekday = Weekday.AGREE
    cap: int = 0
    """Years; 0: old dates stay."""
    name: str = "shift"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Rest on the patient's shift, if the date can be read."""
        dates = dates_of(mention)
        if not dates:
            return (SHIFT,) if _write_undated(mention.text, 1) else ()
        return () if self._move_dates(dates, mention.facts, 1) is None else (SHIFT,)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the signed number of days, such as ``+129``."""
        draw = draws.own(identity)
        step = _WEEK if self.weekday is Weekday.KEEP else 1
        most = max(self.max_shift_days // step, 1)
        least = max(-(-min(_LEAST, self.max_shift_days // 2) // step), 1)
        lengths = most - least + 1
        days = 0
        while not self._moves_all(days):
            drawn = draw.below(2 * lengths)
            days = step * (least + drawn % lengths) * (1 if drawn < lengths else -1)
        return f"{days:+d}"

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the moved date, or ``[DATE]``."""
        days = surrogates.get(SHIFT)
        written = None if days is None else self._write_moved(mention, int(days))
        return write_label(mention, self.style) if written is None else written

    def _moves_all(self, days: int) -> bool:
        years = round(abs(days) / _YEAR)
        in_weeks = days % _WEEK == 0 and self.weekday is Weekday.AGREE
        from_year = abs(abs(days) - years * _YEAR)
        return days != 0 and not in_weeks and not (years and from_year <= _LEAST)

    def _write_moved(self, mention: Mention, days: int) -> str | None:
        """Write the date ``days`` later; ``None`` if it cannot be read."""
        dates, facts = dates_of(mention), mention.facts
        if not dates:
            return _write_undated(mention.text, days)
        moves = self._move_dates(dates, facts, days)
        if moves is None:
            return None
        return "".join(
            _write_date(one, there, facts.day_first)
            for one, there in zip(dates, moves, strict=True)
        )

    def _move_dates(
        self, dates: Sequence[DateReading], facts: NoteFacts, days: int
    ) -> list[_Move] | None:
        """Find where each date is ``days`` later; ``None`` if one lies nowhere or is too old."""
        if self.cap and _is_too_old(dates, facts.years, self.cap):
            return None
        try:
            return [_move_date(one, days, facts.day_first) for one in dates]
        except (ValueError, OverflowError):
            return None


def _write_undated(text: str, days: int) -> str | None:
    """Move a pattern of weekdays; leave words that say nothing of a date."""
    return rotate_pattern(normalise(text), days) or _idle(text)


def _idle(text: str) -> str | None:
    """A text that has words such as ``mid`` alone, which say nothing of a date."""
    fields = (split_fields(normalise(text)) if len(text) <= LONGEST else None) or []
    worded = any(char.isalpha() for item in fields for char in item.text)
    return text if worded and all(item.slot is Slot.TEXT for item in fields) else None


def _is_too_old(dates: Sequence[DateReading], years: NoteYears, cap: int) -> bool:
    return any(shows_age(year, years, cap) for year in years_of(dates, years))


def _move_date(one: DateReading, days: int, day_first: bool) -> _Move:  # noqa: FBT001
    moved = move(one.fields, days, one.near, day_first=day_first)
    there = one.month_of
    if there is None:
        return _Move(moved, moved)
    return _Move(moved, move(there.fields, days, there.near, day_first=day_first))


def _write_date(one: DateReading, moves: _Move, day_first: bool) -> str:  # noqa: FBT001
    fields: Sequence[Field] = one.fields
    if one.month_of is not None and moves.of_month.to.month != moves.own.to.month:
        fields = add_month(fields, one.month_of.fields)
    dated = write(fields, moves.own, day_first=day_first)
    preface = recase(one.preface, dated) if dated.isupper() else one.preface
    return f"{one.mark}{one.earlier}{preface}{dated}{one.later}"
