"""Names of months and weekdays that are misspelled or misread."""

from types import MappingProxyType

from deidstream.models.phi.dates.calendar import MONTHS, WEEKDAYS

_NAMES = tuple(word for word in (*MONTHS[0], *WEEKDAYS[0]) if len(word) > 5)  # noqa: PLR2004
_MIXED = MappingProxyType(
    {name[0] + "".join(sorted(name[1:])): name for name in ("march", "april")}
)
_LONGEST = 12
_SHORTEST = 5


def respelled(word: str) -> str | None:
    """Find the one English month or weekday that a word in lower case differs from by one slip.

    A slip is a letter too many, too few, wrong or swapped with its neighbour; a scanner's ``rn``
    counts as ``m``. Names of five letters and fewer are too close to other words; of ``march`` and
    ``april`` the letters after the first may stand in another order.

    >>> respelled("febuary"), respelled("wendesday"), respelled("decernber"), respelled("remember")
    ('february', 'wednesday', 'december', None)
    >>> respelled("mrach"), respelled("apirl"), respelled("charm")
    ('march', 'april', None)
    """
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    mixed = _MIXED.get(word[0] + "".join(sorted(word[1:])))
    if mixed:
        return mixed
    read = word.replace("rn", "m")
    found = [name for name in _NAMES if read == name or _one_slip(word, name)]
    return found[0] if len(found) == 1 else None


def _one_slip(word: str, name: str) -> bool:
    """Tell whether one slip lies between two words (Damerau, CACM 7(3):171, 1964)."""
    head = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), None)
    if head is None:
        return abs(len(word) - len(name)) == 1
    ours, theirs = word[head:], name[head:]
    swapped = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return swapped or theirs[1:] in {ours, ours[1:]} or theirs == ours[1:]
