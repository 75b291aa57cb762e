"""Months, weekdays, years and days as pieces of patterns."""

_ENGLISH = (
    "January|February|March|April|May|June|July|August|September|October|November|December|Jan|F"
    "eb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Decmber|Febuary|Setpember"
)
_ROMANCE = (
    "janvier|février|fevrier|mars|avril|mai|juin|juillet|août|aout|septembre|octobre|novembre|dé"
    "cembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviem"
    "bre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|g"
    "ennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
)
_OTHER = "Januar|Februar|März|Juni|Juli|Oktober|Dezember|Mac|Ogos|Disember|Mei|Maart|Mrt|Okt|Dez"
MONTH = rf"(?i:{_ENGLISH}|{_ROMANCE}|{_OTHER})"
"""A month after or before a number, in any case."""
ENGLISH_MONTH = rf"(?i:{_ENGLISH})"
PLAIN_MONTH = (
    "(?:January|February|July|September|October|November|December|JANUARY|FEBRUARY|JULY|SEPTEMBE"
    "R|OCTOBER|NOVEMBER|DECEMBER)"
)
"""A month that is seldom another word or a given name, as it is written."""
WEEKDAY = (
    r"(?i:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:s|nesday)?|Thu(?:r(?:s(?:day)?)?)?|Fri(?:day)?"
    r"|Sat(?:urday)?|Sun(?:day)?)\.?"
)
FULL_WEEKDAY = r"(?i:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?i:days?)"
DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
ORDINAL_DAY = rf"(?:{DAY}(?i:st|nd|rd|th|hb)?)"
YEAR = r"(?:(?:19|20)[0-9]{2})"
SHORT_YEAR = r"(?:'[0-9]{2}|\xe2\x80\x99[0-9]{2}|[0-9]{2})"
WEEKDAY_BEFORE = rf"(?:{WEEKDAY},?[ ]{{1,2}}(?:the[ ])?)?"
ROUGHLY = r"(?:(?i:early|mid|late)[ -])?"

_OCR = str.maketrans("OoQlI|", "000111")


def as_digits(text: str) -> str:
    """Read letters that scanners put for digits as the digits they were."""
    return text.translate(_OCR)


def is_day_and_month(first: str, second: str) -> bool:
    """Tell whether two numbers are a month and a day, in either order."""
    low, high = sorted((int(first), int(second)))
    return low in range(1, 13) and high in range(1, 32)
