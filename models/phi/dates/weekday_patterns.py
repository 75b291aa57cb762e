"""Weekday letters, as dialysis and clinic schedules write them: ``MWF``, ``T/Th/S``."""

_LETTERS = ("M", "T", "W", "Th", "F", "S", "Su")
_READ = {"M": 0, "T": 1, "TU": 1, "W": 2, "TH": 3, "R": 3, "F": 4, "S": 5, "SA": 5, "SU": 6}
_BETWEEN = frozenset("/-, &.")
_LONGEST = 24


def rotate_pattern(text: str, days: int) -> str | None:
    """Move each weekday of a pattern by ``days``; ``None`` if the text is none.

    >>> rotate_pattern("MWF", 1), rotate_pattern("T/Th", -1), rotate_pattern("Mt", 1)
    ('TThS', 'M/W', None)
    """
    if len(text) > _LONGEST or not any(map(str.isalpha, text)) or not text[:1].isupper():
        return None
    written: list[str] = []
    place, before = 0, -1
    while place < len(text):
        if text[place] in _BETWEEN:
            written.append(text[place])
            place += 1
            continue
        size = 2 if text[place : place + 2].upper() in _READ else 1
        letters = text[place : place + size]
        if letters.upper() not in _READ or not letters[0].isupper():
            return None
        day = _READ[letters.upper()]
        # A second T can only be Thursday.
        before = 3 if day == before == 1 else day
        written.append(_LETTERS[(before + days) % 7])
        place += size
    return "".join(written)
