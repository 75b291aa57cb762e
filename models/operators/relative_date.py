"""Write dates as days, months and years since a hidden day of the patient's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from deidstream.models.date_reading import DateReading, Slot
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.dates.age_limit import shows_age, years_of
from deidstream.models.phi.dates.meaning import Grain, MeantDay, find_day
from deidstream.models.phi.dates.ranges import dates_of
from deidstream.models.phi.dates.roles import compact_time
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle

ORIGIN = Identity("date.origin")
_EARLIEST = date(1950, 1, 1).toordinal()
_RANGE = 36_525
"""Days among which the first day of reference is drawn: a hundred years."""
_UNITS = {
    Grain.DAY: ("day", 1.0),
    Grain.MONTH: ("month", 365.25 / 12),
    Grain.QUARTER: ("month", 365.25 / 12),
    Grain.SEASON: ("month", 365.25 / 12),
    Grain.YEAR: ("year", 365.25),
}


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """``May 3, 2024`` becomes ``day 8214``, ``May 2024`` ``month 269``, ``2024`` ``year 22``.

    All count from one hidden day of the patient, drawn from a hundred years, so that intervals
    stay exactly and over all notes, and neither year, season nor weekday can be read. A day
    without a year counts in the year that the note's own date makes likely; a mention without a
    day, month or year that could be counted, such as a weekday, becomes ``[DATE]``. A reader who
    knows one date of the patient, or the arrival time of a note, knows all of them, as with every
    form of date that keeps intervals.
    """

    cap: int = 0
    """Dates more than so many years before the note become ``[DATE]``; 0: none do."""
    name: str = "relative"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Rest on the patient's origin, if the date can be counted."""
        return () if self._count_dates(mention, _EARLIEST) is None else (ORIGIN,)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the day that counts as 0, as a number of days since the year 1."""
        return str(_EARLIEST + draws.own(identity).below(_RANGE))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the count, or ``[DATE]``."""
        origin = surrogates.get(ORIGIN)
        written = None if origin is None else self._count_dates(mention, int(origin))
        return write_label(mention, self.style) if written is None else written

    def _count_dates(self, mention: Mention, origin: int) -> str | None:
        dates, facts = dates_of(mention), mention.facts
        if not dates:
            return None
        if self.cap and any(
            shows_age(year, facts.years, self.cap) for year in years_of(dates, facts.years)
        ):
            return None
        try:
            found = [
                (one, find_day(one.fields, one.near, day_first=facts.day_first)) for one in dates
            ]
        except (ValueError, OverflowError):
            return None
        if not all(day.dated and day.grain in _UNITS for _, day in found):
            return None
        return "".join(_write_count(one, day, origin) for one, day in found)


def _write_count(one: DateReading, found: MeantDay, origin: int) -> str:
    unit, length = _UNITS[found.grain]
    count = (found.day.toordinal() - origin) // length
    letters = "".join(item.text for item in one.fields)
    compact = next(
        (compact_time(item.text) for item in one.fields if item.slot is Slot.COMPACT), ""
    )
    time = one.later.replace("T", " ", 1) if one.later[:1] == "T" else one.later
    counted = recase(f"{unit} {count:.0f}", letters if letters.isupper() else "a")
    return f"{one.mark}{one.earlier}{counted}{' ' * bool(compact)}{compact}{time}"
