"""The version of a note in its source: a number, or the time at which the source changed it."""

from datetime import UTC, datetime

MOST_VERSION = 10**15
"""Versions are whole numbers below this; a time in milliseconds or ``20240311081502`` is one."""
_MOST_DIGITS = 100
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_moment(written: str) -> int | None:
    """Return a time as milliseconds since 1970; ``None``: it is not one of ISO 8601.

    One without an offset counts as UTC.

    >>> read_moment("1970-01-01T00:00:01.5Z"), read_moment("1970-01-02"), read_moment("soon")
    (1500, 86400000, None)
    """
    try:
        moment = datetime.fromisoformat(written.strip())
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        since = aware - _EPOCH
    except (ValueError, OverflowError):
        return None
    return (since.days * 86_400 + since.seconds) * 1_000 + since.microseconds // 1_000


def read_version(written: object) -> int | None:
    """Return a whole number from 0, also if it is written as text; ``None``: it is none.

    >>> read_version(3), read_version("0012"), read_version("3b"), read_version(-1)
    (3, 12, None, None)
    """
    if isinstance(written, str):
        digits = written.isascii() and written.isdigit() and len(written) < _MOST_DIGITS
        written = int(written) if digits else None
    if not isinstance(written, int) or isinstance(written, bool):
        return None
    return written if 0 <= written < MOST_VERSION else None
