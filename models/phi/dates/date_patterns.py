"""Months, weekdays, years and days as pieces of patterns, made of the words of the calendar.

Patterns run over UTF-8 bytes in Latin-1 mode, where case beyond ASCII is not folded: accented words
are written in both cases, and without accents.
"""

from collections.abc import Iterable

from deidstream.models.phi.dates.calendar import (
    AMBIGUOUS_MONTHS,
    AMBIGUOUS_WEEKDAYS,
    FULL,
    MISSPELT_MONTHS,
    MONTHS,
    ROMAN,
    UNABBREVIATED_MONTHS,
    WEEKDAYS,
    month_words,
    remove_accents,
)


def _spellings(word: str) -> set[str]:
    return {word, remove_accents(word)} | (set() if word.isascii() else {word.upper()})


def _any_case(words: Iterable[str]) -> str:
    spelled = {spelling for word in words for spelling in _spellings(word)}
    return "(?i:" + "|".join(sorted(spelled, key=lambda one: (-len(one), one))) + ")"


def _as_words(words: Iterable[str]) -> str:
    """Words in lower case or with a capital, but not in capitals, as terms are written."""
    spelled = {spelling for word in words for spelling in (word, word.capitalize())}
    return "(?:" + "|".join(sorted(spelled, key=lambda one: (-len(one), one))) + ")"


ENGLISH_MONTH = _any_case((*month_words("English"), *MISSPELT_MONTHS))
MONTH = _any_case(({*month_words()} - AMBIGUOUS_MONTHS) | {*MISSPELT_MONTHS})
"""A month after or before a number, in any case."""
AMBIGUOUS_MONTH = _as_words(AMBIGUOUS_MONTHS)
"""A short month that is another word or term in English; only with a day and a year of 4 digits."""
AMBIGUOUS_MONTH_JOINED = _any_case(AMBIGUOUS_MONTHS)
"""The same where a sign or nothing joins it to day and year, in any case."""
SHORT_FOREIGN_MONTH = "(?:{})".format(
    "|".join(
        sorted(
            {
                spelled.capitalize()
                for table in MONTHS
                if table.short
                for word in {*table.words} - UNABBREVIATED_MONTHS - AMBIGUOUS_MONTHS
                for spelled in _spellings(word) - {*month_words("English")}
            }
        )
    )
)
"""A short month of no English note, as it is written before a full stop."""
ROMAN_MONTH = _any_case(MONTHS[ROMAN].words)
PLAIN_MONTH = "(?:{})".format(
    "|".join(
        spelled
        for month in MONTHS[FULL].words
        if month not in {"march", "april", "may", "june", "august"}
        for spelled in (month.capitalize(), month.upper())
    )
)
"""A month that is seldom another word or a given name, as it is written."""
WEEKDAY = (
    r"(?i:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:s|nesday)?|Thu(?:r(?:s(?:day)?)?)?|Fri(?:day)?"
    r"|Sat(?:urday)?|Sun(?:day)?)\.?"
)
_FOREIGN_WEEKDAYS = {
    word
    for table in WEEKDAYS
    if table.language != "English" and not table.short
    for word in table.words
}
FOREIGN_WEEKDAY = _any_case(_FOREIGN_WEEKDAYS)
"""A weekday of another language; some are family names, so only before a day and a month."""
PLAIN_FOREIGN_WEEKDAY = _any_case(_FOREIGN_WEEKDAYS - AMBIGUOUS_WEEKDAYS)
"""One that is nothing else."""
FULL_WEEKDAY = r"(?i:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?i:days?)"
DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
ORDINAL_DAY = rf"(?:{DAY}(?i:st|nd|rd|th|hb|er)?)"
YEAR = r"(?:(?:19|20)[0-9]{2})"
SHORT_YEAR = r"(?:'[0-9]{2}|\xe2\x80\x99[0-9]{2}|[0-9]{2})"
WEEKDAY_BEFORE = rf"(?:(?:{WEEKDAY}|{FOREIGN_WEEKDAY}),?[ ]{{1,2}}(?:the[ ]|den[ ]|le[ ])?)?"
ROUGHLY = r"(?:(?i:early|mid|late)[ -])?"
VERSION_MARK = r"-(?i:rc|alpha|beta|snapshot|build|dev|release|hotfix|patch)[.-]?[0-9]{0,4}"
"""Behind the numbers of a version, which may read as a date."""

_OCR = str.maketrans("OoQlI|", "000111")


def as_digits(text: str) -> str:
    """Read letters that scanners put for digits as the digits they were."""
    return text.translate(_OCR)


def is_day_and_month(first: str, second: str) -> bool:
    """Return whether two numbers are a month and a day, in either order."""
    low, high = sorted((int(first), int(second)))
    return low in range(1, 13) and high in range(1, 32)
