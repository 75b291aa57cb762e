"""Find pairs of numbers and words that are no dates, as their note writes its dates otherwise.

A tagger reads ``8-14`` of a list, a result of ``19.2`` and the scan ``OCT`` as dates. A note that
joins day and month so writes whole dates so too.
"""

import re
from collections.abc import Iterable, Iterator

from deidstream.models.detection.clinical import fraction_cues as cues
from deidstream.models.detection.clinical.clock_times import find_dotted_times
from deidstream.models.detection.clinical.line_forms import LineForm, NoteLine
from deidstream.models.detection.clinical.measures import RESULT
from deidstream.models.detection.clinical.note_style import DAYS, MONTHS, NoteStyle
from deidstream.models.detection.clinical.value import DATES, ClinicalValue

_PAIR = re.compile(r"(?<![\w./,:-])([0-9]{1,2})([.-])([0-9]{1,2})(?![\w/:-]|[.,][0-9])")
_BEFORE, _AFTER = 48, 16
"""Characters on the line of a pair that are searched for words of dates."""
_TERM = re.compile(r"(?<![\w./-])(?<![0-9] )(?:OCT|MAR|DEC)(?![\w/-]|\.[0-9]| [0-9]|,? ')")
"""A scan, a chart and what is less, in capitals; months have a number beside them."""
_EMIRATES = re.compile(r"(?<![0-9])784([ -]?)[0-9]{4}\1[0-9]{7}\1[0-9](?![0-9])|(?i:emirates id)")
_IDENTITY = re.compile(r"(?<!\w)EID(?!\w)")
"""What a number of the Emirates is called; elsewhere it is a feast."""
FORMS = (
    LineForm(
        re.compile(
            r"(?<![\w+])(?:MO|TU|WE|TH|FR|SA|SU)[0-9]{1,2}(?![\w/.-])|(?<![\w+/])[A-Z]{2,5}(?=\+[A-Z]{2})"
        ),
        DATES,
    ),
)
"""The letters of weekdays that touch a number or a sign between words: a theatre, a mode."""
_IN_MONTH = re.compile(r"(?i)\b(?:in|since|until|till?|last|next|by|from|early|mid|late)[ -]$")
_SMALL = re.compile("[a-z]{2}")


def find_unlike_dates(text: str, lines: Iterable[NoteLine]) -> Iterator[ClinicalValue]:
    """Yield what is written as no date of the note is, on some of its lines."""
    style: NoteStyle | None = None
    identity = _EMIRATES.search(text) is not None
    for line in lines:
        for match in _IDENTITY.finditer(text, line.start, line.end) if identity else ():
            yield ClinicalValue(*match.span(), DATES)
        for match in _PAIR.finditer(text, line.start, line.end):
            style = style or NoteStyle.of_text(text)
            if _is_unlike(text, match, line, style):
                yield ClinicalValue(*match.span(), DATES)
        # In a line of capitals, a month is in capitals too.
        if _SMALL.search(text, line.start, line.end):
            for match in _TERM.finditer(text, line.start, line.end):
                if not _IN_MONTH.search(
                    text[max(line.start, match.start() - _BEFORE) : match.start()]
                ):
                    yield ClinicalValue(*match.span(), DATES)


def find_like_dates(text: str) -> Iterator[tuple[int, int]]:
    """Yield where two numbers, no time of day and no result, mean a day about the note's months."""
    pairs = list(_PAIR.finditer(text))
    style = NoteStyle.of_text(text) if pairs else None
    ends = {one.end() for one in RESULT.finditer(text)} if pairs else set[int]()
    timed = {one.start for one in find_dotted_times(text)}
    for match in pairs:
        if style is not None and style.months and _fits(match, style):
            line = NoteLine(text.rfind("\n", 0, match.start()) + 1, match.end() + _AFTER)
            value = match.start() in timed or match.end() in ends
            if not value and not _is_unlike(text, match, line, style):
                yield match.span()


def _is_unlike(text: str, match: re.Match[str], line: NoteLine, style: NoteStyle) -> bool:
    """Return whether no date of the note has this sign, or none is about the month that is meant.

    A hyphen, which no value has, is an odd way to write a date rather than none, but not where a
    line begins, as the rows of a list do.
    """
    before = text[max(line.start, match.start() - _BEFORE) : match.start()]
    after = text[match.end() : min(line.end, match.end() + _AFTER)]
    if cues.DATED.search(before) or cues.TIMED.search(after):
        return False
    begins = not before.strip()
    odd = match[2] not in style.signs and (match[2] == "." or begins)
    return bool(style.months) and (odd or not _fits(match, style))


def _fits(match: re.Match[str], style: NoteStyle) -> bool:
    first, second = int(match[1]), int(match[3])
    low, high = sorted((first, second))
    return 1 <= low <= MONTHS and high <= DAYS and style.may_be_date(first, second)
