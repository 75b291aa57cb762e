"""Read an age out of the text of a mention: numbers, units, spelled numbers, decades."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import re2

from deidstream.models.phi.spelled_numbers import spelled_count
from deidstream.models.text.runs import Sort, read_scanned_digits, runs
from deidstream.models.text.word_files import split_list

LONGEST = 60
_DIGITS = 6
PER_YEAR = {
    "y": 1.0, "yr": 1.0, "yrs": 1.0, "year": 1.0, "years": 1.0, "yo": 1.0,
    "m": 12.0, "mo": 12.0, "mos": 12.0, "mth": 12.0, "mths": 12.0, "month": 12.0, "months": 12.0,
    "w": 52.2, "wk": 52.2, "wks": 52.2, "week": 52.2, "weeks": 52.2,
    "d": 365.2, "day": 365.2, "days": 365.2, "h": 8766.0, "hr": 8766.0, "hrs": 8766.0,
    "hour": 8766.0, "hours": 8766.0,
}  # fmt: skip
DECADES = {
    "teens": 13, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90,
}  # fmt: skip
AGED = {
    "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70,
    "octogenarian": 80, "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110,
}  # fmt: skip
ORDINALS = frozenset({"st", "nd", "rd", "th"})
SEXES = frozenset(split_list("m f male female man woman"))
_TENS = 10
_MOST_MONTHS = 36
"""More months are not written with a bare ``m``: in ``93M`` it is the sex."""
_BETWEEN = (
    ORDINALS
    | SEXES
    | frozenset(
        split_list("old older over above o age aged s in her his their the early mid late of")
    )
)
_OF_RANGES = frozenset({"to", "and", "or"})
_DECIMALS = re2.compile(r"(\d)\.\d{1,2}(\D|$)")


@dataclass(frozen=True, slots=True)
class Age:
    """An age as it was read from a mention."""

    words: tuple[str, ...] = field(repr=False)
    """Its letters and digits separated, case folded, scanner's letters read as digits."""
    years: float = field(repr=False)
    """Age in years: the higher of a range, the years of years and months."""
    least: float = field(repr=False)
    """The lower age of a range; otherwise ``years``."""

    @property
    def is_coarse(self) -> bool:
        """Return whether only a decade is given, such as ``80s`` or ``octogenarian``."""
        last = self.words[-1]
        digits = [word for word in self.words if word.isdigit()]
        tens = last == "s" and bool(digits) and all(int(word) % _TENS == 0 for word in digits)
        return tens or any(word in DECADES or word in AGED for word in self.words)


def read_age(text: str) -> Age | None:
    """Read an age; ``None`` if any of it is not understood.

    >>> [age and age.years for age in map(read_age, ("91 years 8 months", "ninety-three", "Smith"))]
    [91.0, 93.0, None]
    """
    found = tuple(_words(normalise_age(text))) if len(text) <= LONGEST else ()
    years = _years(list(found))
    return Age(found, max(years), min(years)) if years else None


def normalise_age(text: str) -> str:
    """Return the compatibility form of a text, without fractions of a year.

    >>> normalise_age("2\u00bd y"), normalise_age("4.5 years")
    ('2 y', '4 years')
    """
    whole = "".join(c for c in text if not _is_fraction(c))
    read: str = _DECIMALS.sub(r"\1\2", unicodedata.normalize("NFKC", whole))
    return read


def _is_fraction(char: str) -> bool:
    return unicodedata.category(char) == "No" and 0 < unicodedata.numeric(char, 0) < 1


def _words(text: str) -> list[str]:
    found: list[str] = []
    for token in text.replace("-", " ").replace("\u2013", " ").replace("/", " / ").split():
        found += [
            run.text
            for run in runs(read_scanned_digits(token.strip(".,~<>+()")))
            if _has_content(run.text)
        ]
    return [word.casefold() for word in found]


def _has_content(text: str) -> bool:
    return text == "/" or runs(text)[0].sort is not Sort.OTHER


def is_age(words: Sequence[str], place: int) -> bool:
    """Return whether a word is a number in digits; what follows a slash is a unit."""
    return _is_number(words[place]) and (place == 0 or words[place - 1] != "/")


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _years(words: list[str]) -> list[float]:
    """Return every age in years, without months beside years; empty if any is unread."""
    named = [DECADES.get(word, AGED.get(word)) for word in words]
    found = [float(years) for years in named if years is not None]
    left = [word for place, word in enumerate(words) if named[place] is None]
    numbers = [place for place in range(len(left)) if is_age(left, place)]
    if not numbers:
        return _spelled_years(left, found)
    if any(len(left[place]) > _DIGITS for place in numbers) or not _knows_all(left):
        return []
    counted = [(unit_at(left, place), int(left[place])) for place in numbers]
    coarsest = min(unit for unit, _ in counted)
    return found + [count / unit for unit, count in counted if unit == coarsest or count > unit]


def _knows_all(words: list[str]) -> bool:
    known = {"/", *PER_YEAR, *_BETWEEN, *_OF_RANGES}
    return all(word in known or _is_number(word) for word in words)


def unit_at(words: Sequence[str], place: int) -> float:
    """Return how many units of a number make a year; ``14/12`` is months, as in British notes."""
    following = words[place + 1 : place + 3]
    if following[:1] == ["/"]:
        return {"12": 12.0, "52": 52.2, "7": 365.2}.get("".join(following[1:]), 1.0)
    if following and following[0] in PER_YEAR and words[max(place - 1, 0)] != "/":
        is_sex = following[0] == "m" and int(words[place]) > _MOST_MONTHS
        return 1.0 if is_sex else PER_YEAR[following[0]]
    return 1.0


def _spelled_years(words: list[str], found: list[float]) -> list[float]:
    units = [PER_YEAR[word] for word in words if word in PER_YEAR]
    numbers = [word for word in words if may_be_spelled_number(word)]
    count = spelled_count(numbers)
    if count is None:
        return [] if numbers else found
    return [*found, count / (units[0] if units else 1.0)]


def may_be_spelled_number(word: str) -> bool:
    """Return whether a case-folded word may be part of a spelled number."""
    return word not in PER_YEAR and word not in _BETWEEN
