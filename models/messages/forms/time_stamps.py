"""Read time stamps of messages. Source: HL7 v2.5.1, section 2.A.22, ``DTM``."""

import re
from datetime import datetime

_STAMP = re.compile(
    r"([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2})?(?:\.[0-9]{1,4})?)?"
    r"([+-][0-9]{2})?([0-9]{2})?"
)


def write_iso(stamp: str) -> str | None:
    """Return a time stamp as ISO 8601; ``None`` where it has no day.

    >>> write_iso("20240311081502-0500"), write_iso("20240311"), write_iso("2024")
    ('2024-03-11T08:15:02-05:00', '2024-03-11', None)
    """
    found = _STAMP.fullmatch(stamp)
    if found is None:
        return None
    year, month, day, hour, minute, second, zone, zone_minutes = found.groups()
    written = f"{year}-{month}-{day}"
    if hour is not None:
        written += f"T{hour}:{minute}:{second or '00'}"
        written += f"{zone}:{zone_minutes or '00'}" if zone else ""
    try:
        datetime.fromisoformat(written)
    except ValueError:
        return None
    return written
