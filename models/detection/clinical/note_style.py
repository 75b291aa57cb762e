"""The facts of a whole note that tell a length of time in British notation from a date."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.text.patterns import word_set

MONTHS, DAYS = 12, 31
_BEFORE = 48
_THREE = re.compile(
    r"(?<![0-9./-])(\d{1,2}) ?([/.-]) ?(\d{1,2}) ?[/.-] ?(?:[12]\d{3}|\d{2})(?!\d|[./-]\d)"
)
_YEAR_FIRST = re.compile(r"(?:^|[^0-9])(?:19|20)[0-9]{2}([/.-]?)([01][0-9])[/.-]?[0-3][0-9]")
_NAMED = re.compile(
    r"(?i)(?:[0-9](?:st|nd|rd|th)?[ -]?(?:of )?|[^a-z])"
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\.?[ ,'\u2019-]{0,2}[0-9]"
)
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BRITISH = re2.compile(
    r"\b(?:bd|tds|qds|nocte|mane|r/v|rv|GP|NHS|A&E|SHO|SpR|FY1|FY2|ST[1-8]|HCA|TTOs?|TTAs?|U&Es?|FBC"
    r"|o/e|O/E|[Pp]hysio|[Oo]edema\w*|[Hh]aem[aoi]\w+|[Aa]naem\w+|[Pp]aed\w+|[Dd]iarrhoea|[Oo]esoph\w+"
    r"|[Gg]ynae\w*|[Oo]rthopaed\w*|Sister|Matron|[Cc]entre|[Tt]umour\w*|[Rr]egistrar)\b"
)
_FEW_SIGNS = 2
_SPAN = re.compile(r"(?<![\w./])\d{1,2}/(?:52|40)(?![\w/]|\.\d)")
_SHORT = re.compile(r"(?<![\w.,/-])(\d{1,2})/(\d{1,2})(?![\w/-]|\.\d)")
_SPANS = frozenset({7, 12, 24})
_SAID = re.compile(r"\b(?:in|for|x|of|after|over|every) \d{1,2}/(?:7|12)(?![\w/]|\.\d)")
_FREQUENCIES = word_set("bd tds qds nocte mane r/v rv")


@dataclass(frozen=True, slots=True)
class NoteStyle:
    """How a note writes dates and lengths of time."""

    british: bool
    """It has lengths of time such as ``3/7`` and ``6/52``, or other signs of British notation."""
    order: int
    """Numeric dates with the day first, less those with the month first."""
    months: frozenset[int]
    """The months of its dates that can be read in one way only."""
    signs: frozenset[str]
    """The signs between day and month of its dates with a year."""

    @classmethod
    def of_text(cls, text: str) -> "NoteStyle":
        """Read the style of a note."""
        months = set(_plain_months(text))
        dates = list(_THREE.finditer(text))
        pairs = [(int(m[1]), int(m[3])) for m in dates]
        order = sum((a > MONTHS) - (b > MONTHS) for a, b in pairs if max(a, b) <= DAYS)
        for first, second in pairs:
            months.update(read_months(first, second, order))
        for match in _SHORT.finditer(text):
            first, second = int(match[1]), int(match[2])
            if (
                second in _SPANS
                or not 1 <= min(first, second) <= MONTHS < max(first, second) <= DAYS
            ):
                continue
            # The highest mark of a scale is no day: "POEM 9/28".
            if cues.SCALED.search(text[max(0, match.start() - _BEFORE) : match.start()]):
                continue
            order += 1 if first > MONTHS else -1
            months.add(min(first, second))
        signs = {str(match[0]).lower() for match in _BRITISH.finditer(text)}
        spans = bool(_SPAN.search(text)) or (order >= 0 and len(_SAID.findall(text)) >= _FEW_SIGNS)
        british = spans or (order >= 0 and (len(signs) >= _FEW_SIGNS or bool(signs & _FREQUENCIES)))
        return cls(british, order, frozenset(months), frozenset(str(m[2]) for m in dates))

    def has_month(self, first: int, second: int) -> bool:
        """Return whether the note has a date of the very month that two numbers would mean."""
        return not self.months.isdisjoint(read_months(first, second, self.order))

    def may_be_date(self, first: int, second: int) -> bool:
        """Return whether the note has dates about the month that two numbers would mean.

        Without any date to compare with, they may.
        """
        wanted = read_months(first, second, self.order)
        near = {(month + step - 1) % MONTHS + 1 for month in self.months for step in (-1, 0, 1)}
        return not self.months or not near.isdisjoint(wanted)


def read_months(first: int, second: int, order: int) -> set[int]:
    """Return the months that a day and a month may mean, in the order of the note."""
    if first > MONTHS or (order > 0 and second <= MONTHS):
        return {second}
    if second > MONTHS or order < 0:
        return {first}
    return {first, second}


def _plain_months(text: str) -> Iterator[int]:
    for match in _YEAR_FIRST.finditer(text):
        month = int(match[2])
        if 1 <= month <= MONTHS:
            yield month
    for match in _NAMED.finditer(text):
        yield 1 + _NAMES.index(str(match[1]).lower())
