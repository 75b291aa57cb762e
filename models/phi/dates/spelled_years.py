"""Years that are spelled out or dictated, such as ``nineteen ninety-eight``."""

from types import MappingProxyType

from deidstream.models.text.word_files import listed

_ONES = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL = MappingProxyType(
    {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)
YEAR_WORDS = frozenset({*_SMALL, "oh", "hundred", "thousand", "and"})
"""The words of spelled years."""

_FIRST, _LAST = 1800, 2199
_THOUSAND = 2000


def spelled_year(words: list[str]) -> int | None:
    """Read a year from 1800 to 2199; ``None`` if the words are no year.

    >>> spelled_year("nineteen ninety eight".split()), spelled_year("nineteen oh four".split())
    (1998, 1904)
    >>> spelled_year("two thousand and five".split()), spelled_year("twenty twenty five".split())
    (2005, 2025)
    >>> spelled_year("ninety eight".split())
    """
    rest = words[3:] if words[2:3] == ["and"] else words[2:]
    if words[:2] == ["two", "thousand"]:
        year = _plus(_THOUSAND, rest)
    elif words[1:2] == ["hundred"]:
        year = _plus(100 * _SMALL.get(words[0], 0), rest)
    elif len(words) > 1:
        year = _plus(100 * _SMALL.get(words[0], 0), words[2:] if words[1] == "oh" else words[1:])
    else:
        year = None
    return year if year is not None and _FIRST <= year <= _LAST else None


def spell_year(year: int, like: str) -> str:
    """Spell a year in lower case, with a hyphen if ``like`` has one, as ``like`` spells its own.

    >>> spell_year(2026, "two thousand twenty-four"), spell_year(1905, "nineteen ninety eight")
    ('two thousand twenty-six', 'nineteen oh five')
    >>> spell_year(2008, "two thousand and nine"), spell_year(1960, "nineteen hundred and five")
    ('two thousand and eight', 'nineteen hundred and sixty')
    """
    words = like.casefold().replace("-", " ").split()
    century, rest = divmod(year, 100)
    short = _below_hundred(rest, "-" if "-" in like else " ")
    joint = "and " if rest and "and" in words else ""
    if century == _THOUSAND // 100 and ("thousand" in words or rest < 10):  # noqa: PLR2004
        return f"two thousand {joint}{short}".strip()
    head = _below_hundred(century, "-" if "-" in like else " ")
    if not rest or "hundred" in words:
        return f"{head} hundred {joint}{short}".strip()
    return f"{head} oh {short}" if rest < 10 else f"{head} {short}"  # noqa: PLR2004


def _plus(hundreds: int, words: list[str]) -> int | None:
    """Add tens and ones; ``None`` if the words are anything else."""
    values = [_SMALL.get(word) for word in words]
    match values:
        case []:
            return hundreds
        case [int() as one]:
            return hundreds + one
        case [int() as tens, int() as ones] if tens >= 20 and not tens % 10 and 0 < ones < 10:  # noqa: PLR2004
            return hundreds + tens + ones
        case _:
            return None


def _below_hundred(number: int, joint: str) -> str:
    if number < len(_ONES):
        return _ONES[number] if number else ""
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}{joint}{_ONES[ones]}" if ones else _TENS[tens - 2]
