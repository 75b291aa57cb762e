"""Move every date of a patient by the same hidden number of days, in the form it was written."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import re2

from deidstream.models.operators.casing import recase
from deidstream.models.operators.date_fields import Field, Slot, cut
from deidstream.models.operators.date_holidays import holiday
from deidstream.models.operators.date_roles import assign
from deidstream.models.operators.date_words import FULL, MONTHS
from deidstream.models.operators.date_write import REFERENCE_YEAR, write_moved
from deidstream.models.operators.operator import Draws, Identity, Mention, NoteFacts
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.weekday_patterns import rotate_pattern

SHIFT = Identity("date.shift")
_LONGEST = 60
_WEEK, _YEAR = 7, 365.25

_TIME = re2.compile(
    r"(?i)(?:T|,?\s+(?:at\s+)?)\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?"
    r"(?:\s?[ap]\.?m\.?|\s?Z|\s?[+-]\d{2}:?\d{2})?$"
)


@dataclass(frozen=True, slots=True)
class ShiftDate:
    """Dates move by whole days; intervals between fully written dates stay exactly.

    The shift is never 0, never whole weeks and never whole years, so that a weekday, and a day and
    month without a year, always change. A bare month or season moves by one at least. Bare years
    and decades move from their middle and may therefore stay. What cannot be read becomes
    ``[DATE]``. Shifting hides dates from readers, not from whoever knows one of them, or the
    arrival time of the note.
    """

    max_shift_days: int = 365
    name: str = "shift"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Rest on the patient's shift, if the date can be read."""
        return () if _moved(mention, 1) is None else (SHIFT,)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the signed number of days, such as ``+129``."""
        draw = draws.own(identity)
        days = 0
        while not _moves_all(days):
            days = draw.below(2 * max(self.max_shift_days, 1)) - max(self.max_shift_days, 1)
            days += days >= 0
        return f"{days:+d}"

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the moved date, or ``[DATE]``."""
        days = surrogates.get(SHIFT)
        written = None if days is None else _moved(mention, int(days))
        return redacted(mention.label) if written is None else written


def _moves_all(days: int) -> bool:
    years = round(abs(days) / _YEAR)
    return days % _WEEK != 0 and not (years and abs(abs(days) - years * _YEAR) < 2)  # noqa: PLR2004


def _moved(mention: Mention, days: int) -> str | None:
    """Write the date ``days`` later; ``None`` if it cannot be read."""
    if len(mention.text) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", mention.text)
    try:
        return _moved_holiday(text, days) or _moved_date(text, days, mention.facts)
    except (ValueError, OverflowError):
        return None


def _moved_holiday(text: str, days: int) -> str | None:
    found = holiday(text)
    if found is None:
        return None
    rule, year = found
    to = rule(year or REFERENCE_YEAR) + timedelta(days)
    plain = f"{MONTHS[FULL][to.month - 1].capitalize()} {to.day}"
    return recase(f"{plain}, {to.year}" if year else plain, text)


def _moved_date(text: str, days: int, facts: NoteFacts) -> str | None:
    body, time = _without_time(text)
    fields = read(body, facts)
    if fields is None:
        return rotate_pattern(text, days)
    return write_moved(fields, days, day_first=facts.day_first) + time


def _without_time(text: str) -> tuple[str, str]:
    found = _TIME.search(text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def read(text: str, facts: NoteFacts) -> list[Field] | None:
    """Cut a date into fields with meaning; ``None`` if it cannot be read."""
    fields = cut(text)
    fields = None if fields is None else assign(fields, facts)
    if fields is None or all(item.slot is Slot.TEXT for item in fields):
        return None
    return fields
