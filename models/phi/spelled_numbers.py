"""Read and write numbers that are spelled out: counts up to a few hundred, dictated digits."""

from types import MappingProxyType

from deidstream.models.text.word_files import listed

_ONES = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")

SPELLED = MappingProxyType(
    {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)
_DIGIT = MappingProxyType({word: n for n, word in enumerate(_ONES[:10])} | {"oh": 0, "o": 0})


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


def spoken_digits(text: str) -> str | None:
    """Read digits that were dictated one by one; ``None`` if the text is anything else.

    >>> spoken_digits("five five oh one"), spoken_digits("5501")
    ('5501', None)
    """
    words = text.casefold().split()
    if len(words) < 3 or any(word not in _DIGIT for word in words):  # noqa: PLR2004
        return None
    return "".join(str(_DIGIT[word]) for word in words)


def dictate(digits: str) -> str:
    """Write digits as they are dictated, one by one.

    >>> dictate("5501")
    'five five zero one'
    """
    return " ".join(_ONES[int(digit)] for digit in digits)


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
