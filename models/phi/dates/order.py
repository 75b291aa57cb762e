"""What besides its numeric dates tells whether a note writes the day before the month."""

from collections.abc import Iterable, Sequence

import re2

from deidstream.models.phi.dates.fields import Field, Slot, cut

_LONGEST = 60
_LONGEST_SIGN = 32
_PADDED = re2.compile(r"(?:^|[^0-9:])0[1-9][/.-][0-9]|[0-9][/.-]0[1-9](?:[^0-9:]|$)")
_BARE = re2.compile(
    r"(?:^|[^0-9.:/-])[1-9][/.-][0-3]?[0-9](?:[/.-]|[^0-9:]|$)"
    r"|(?:^|[^0-9.:/-])[0-3]?[0-9][/.-][1-9](?:[/.-]|$)"
)
"""Numeric dates with a leading zero, and those that do without one."""
_DOTTED = re2.compile(r"^[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})$")
_DAY_LEADS_THERE = re2.compile(
    r"^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$|^\+(?:[2-9]|1[^0-9 (.-])|^00[2-9]|^\(?0[1-9]"
)
"""British postcodes; telephone numbers with a trunk 0 or a country code that is not North
America's."""
_MONTH_LEADS_THERE = re2.compile(
    r"^[0-9]{5}(?:-[0-9]{4})?$"
    r"|^(?:\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]{0,2}[2-9][0-9]{2}[ .-][0-9]{4}$"
)
"""ZIP codes and telephone numbers of the United States."""


def unpadded(dates: Iterable[str]) -> bool:
    """Tell whether a note writes ``1/3/24``, and never ``01/03/24``."""
    short = [text for text in dates if len(text) <= _LONGEST]
    return any(map(_BARE.search, short)) and not any(map(_PADDED.search, short))


def leaning(dates: Iterable[str]) -> int:
    """Count the dates that have the day first for all to see, less those that have the month.

    ``4 February 2024`` and ``4.2.24`` have the day first, ``February 4`` the month: who writes them
    so writes ``4/2/24`` alike.
    """
    return sum(map(_lean, dates))


def place_signs(numbers: Iterable[str]) -> int:
    """Count the postcodes and telephone numbers of places where the day leads, less the others."""
    short = [number.strip() for number in numbers if len(number) <= _LONGEST_SIGN]
    leads = sum(bool(_DAY_LEADS_THERE.search(number)) for number in short)
    return leads - sum(bool(_MONTH_LEADS_THERE.search(number)) for number in short)


def _lean(text: str) -> int:
    if _DOTTED.search(text.strip()):
        return 1
    fields = (cut(text) if len(text) <= _LONGEST else None) or []
    words = [place for place, item in enumerate(fields) if item.slot is Slot.MONTH_WORD]
    if len(words) != 1:
        return 0
    place = words[0]
    return _is_day(fields[:place]) - _is_day(fields[place + 1 :][:2])


def _is_day(fields: Sequence[Field]) -> bool:
    return any(item.slot is Slot.NUMBER and len(item.text) <= 2 for item in fields)  # noqa: PLR2004
