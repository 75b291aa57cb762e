"""Dates in digits without separators: ``20240503``, ``050324``, ``202405031207``."""

from datetime import date

_PIVOT = 50
_SHORT = 6
_ORDERS = {
    8: (("ymd", "mdy", "dmy"), ("ymd", "dmy", "mdy")),
    6: (("mdy", "dmy", "ymd"), ("dmy", "mdy", "ymd")),
}


def compact_date(text: str, day_first: bool) -> date:  # noqa: FBT001
    """Read digits in the first order that makes them a date.

    Raises:
        ValueError: None does.
    """
    return _read(text, _order(text, day_first))


def write_compact(text: str, to: date, day_first: bool) -> str:  # noqa: FBT001
    """Write the digits of another date in the order of ``text``; those of a time after it stay."""
    order = _order(text, day_first)
    year = f"{to.year % 100:02d}" if len(text) == _SHORT else f"{to.year:04d}"
    written = {"y": year, "m": f"{to.month:02d}", "d": f"{to.day:02d}"}
    return "".join(written[part] for part in order) + text[8:]


def compact_time(text: str) -> str:
    """Write the digits after the date as a time.

    >>> compact_time("202405031207"), compact_time("20240503")
    ('12:07', '')
    """
    return ":".join(text[place : place + 2] for place in range(8, len(text), 2))


def _order(text: str, day_first: bool) -> str:  # noqa: FBT001
    for order in _ORDERS[min(len(text), 8)][day_first]:
        try:
            found = _read(text, order)
        except ValueError:
            continue
        if len(text) == _SHORT or (1800 <= found.year < 2200 and _is_time(text[8:])):  # noqa: PLR2004
            return order
    msg = "no order of the digits is a date"
    raise ValueError(msg)


def _is_time(digits: str) -> bool:
    return digits[:2] < "24" and digits[2:4] < "60" and digits[4:] < "60"


def _read(text: str, order: str) -> date:
    width = 2 if len(text) == _SHORT else 4
    values: dict[str, int] = {}
    for part in order:
        size = width if part == "y" else 2
        values[part], text = int(text[:size]), text[size:]
    year = values["y"] + (2000 if values["y"] < _PIVOT else 1900) * (width == 2)  # noqa: PLR2004
    return date(year, values["m"], values["d"])
