"""Read and write numbers that are spelled out: counts and years."""

from types import MappingProxyType

from deidstream.models.text.word_files import split_list

_ONES = split_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = split_list("twenty thirty forty fifty sixty seventy eighty ninety")

SPELLED = MappingProxyType(
    {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)
TIMES_WORDS = MappingProxyType({"double": 2, "triple": 3, "treble": 3})
"""How often the character that is said next is meant."""


def spelled_count(words: list[str]) -> int | None:
    """Read a count; ``None`` if a word is no number.

    >>> spelled_count(["ninety", "one"]), spelled_count(["one", "hundred", "and", "four"])
    (91, 104)
    """
    total: int | None = None
    for word in words:
        if word == "hundred":
            total = 100 * (total or 1)
        elif word in SPELLED:
            total = (total or 0) + SPELLED[word]
        elif word not in {"and", "a"}:
            return None
    return total


def spell(count: int) -> str:
    """Spell a count of less than a thousand; higher ones are written in digits.

    >>> spell(43), spell(20), spell(104), spell(0)
    ('forty-three', 'twenty', 'one hundred and four', 'zero')
    """
    hundreds, rest = divmod(count, 100)
    if hundreds:
        tail = f" and {spell(rest)}" if rest else ""
        return f"{_ONES[hundreds]} hundred{tail}" if hundreds < 10 else str(count)  # noqa: PLR2004
    if rest < len(_ONES):
        return _ONES[rest]
    tens, ones = divmod(rest, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


YEAR_WORDS = frozenset({*SPELLED, "oh", "hundred", "thousand", "and"})
"""The words of spelled years."""

_FIRST, _LAST = 1800, 2199
_THOUSAND = 2000
_DAYS, _PIVOT = 31, 50


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
        year = _plus(100 * SPELLED.get(words[0], 0), rest)
    elif len(words) > 1:
        year = _plus(100 * SPELLED.get(words[0], 0), words[2:] if words[1] == "oh" else words[1:])
    else:
        year = None
    return year if year is not None and _FIRST <= year <= _LAST else None


def spelled_short_year(words: list[str]) -> int | None:
    """Read a year said without its century, which no day of a month is; ``None`` for other words.

    Below fifty it is of the 2000s, as of two digits.

    >>> spelled_short_year(["oh", "one"]), spelled_short_year(["sixty", "two"])
    (2001, 1962)
    >>> spelled_short_year(["twelve"])
    """
    if words[:1] == ["oh"]:
        year = SPELLED.get(words[1], 10) if len(words) == 2 else 10  # noqa: PLR2004
        return _THOUSAND + year if year < 10 else None  # noqa: PLR2004
    year = _plus(0, words) or 0
    if not _DAYS < year < 100:  # noqa: PLR2004
        return None
    return year + (_THOUSAND if year < _PIVOT else _THOUSAND - 100)


def spell_year(year: int, like: str) -> str:
    """Spell a year in lower case, with a hyphen if ``like`` has one, as ``like`` spells its own.

    >>> spell_year(2026, "two thousand twenty-four"), spell_year(1905, "nineteen ninety eight")
    ('two thousand twenty-six', 'nineteen oh five')
    >>> spell_year(2008, "two thousand and nine"), spell_year(1960, "nineteen hundred and five")
    ('two thousand and eight', 'nineteen hundred and sixty')
    >>> spell_year(2003, "oh one"), spell_year(1961, "sixty two")
    ('oh three', 'sixty one')
    """
    words = like.casefold().replace("-", " ").split()
    century, rest = divmod(year, 100)
    short = _below_hundred(rest, "-" if "-" in like else " ")
    if rest and spelled_year(words) is None:
        return f"oh {short}" if rest < 10 else short  # noqa: PLR2004
    joint = "and " if rest and "and" in words else ""
    if century == _THOUSAND // 100 and ("thousand" in words or rest < 10):  # noqa: PLR2004
        return f"two thousand {joint}{short}".strip()
    head = _below_hundred(century, "-" if "-" in like else " ")
    if not rest or "hundred" in words:
        return f"{head} hundred {joint}{short}".strip()
    return f"{head} oh {short}" if rest < 10 else f"{head} {short}"  # noqa: PLR2004


def _plus(hundreds: int, words: list[str]) -> int | None:
    """Add tens and ones; ``None`` if the words are anything else."""
    values = [SPELLED.get(word) for word in words]
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
