"""Find times of day, with their seconds and their offset, which are no date and no number."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from deidstream.models.detection.clinical.line_forms import LineForm, NoteLine
from deidstream.models.detection.clinical.value import NUMERIC, ClinicalValue
from deidstream.models.phi.dates.calendar import PRESENT
from deidstream.models.text.patterns import any_of
from deidstream.schemas.label import PERSONS

_HOUR, _SIXTY = r"(?:[01]?[0-9]|2[0-4])", r"[0-5][0-9]"
_ZONE = r"(?:Z|[ ]?(?:UTC|GMT)|[ ]?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])"
_DAY_HOUR = r"(?:[01][0-9]|2[0-4])"
_CLOCK = re.compile(
    rf"(?:(?<=-[0-9]{{2}})T|(?<![0-9A-SU-Za-z:.,])|(?<=[12][0-9]{{3}}:))"
    rf"{_HOUR}:{_SIXTY}(?::{_SIXTY}(?:[.,][0-9]{{1,9}})?)?"
    rf"(?:[ ]?[ap]\.?m\b|{_ZONE})?(?![0-9A-Za-z:]|[.,][0-9])"
)
_TOLD_WORDS = any_of("""
handover, handed over, received, arrived, arr, eta, etd, left, departed, depart, given, started
commenced, stopped, finished, ended, settled, reviewed, informed, notified, crash x[0-9]
req, requested, at hosp, scene, recheck, re-?bleed, commence, until, till, since, after, from, ct
""")
_TOLD = re.compile(
    rf"(?i)(?<![0-9A-Za-z]){_TOLD_WORDS}[ :@~]{{1,3}}({_DAY_HOUR}{_SIXTY})"
    r"(?![0-9A-Za-z/:-]|[.,][0-9]| [0-9])"
)
_STAGES = any_of("""
disp, dispatched, enr, en ?route, on scene, at scene, left scene, at pt, pt contact, patient contact
at dest, at destination, cosigned
""")
_ON_CALL_OUT = re.compile(
    rf"(?i)(?<![0-9A-Za-z]){_STAGES}[ :@]{{1,3}}({_DAY_HOUR}{_SIXTY})"
    r"(?![0-9A-Za-z/:-]|[.,][0-9]| [0-9])"
)
"""Behind the stages of a call-out, of which no year is told."""
_IN_HOURS = re.compile(
    rf"(?<![0-9A-Za-z.,:/-]){_DAY_HOUR}{_SIXTY} ?(?:H|Z|[Hh]rs?|[Hh]ours)(?![0-9A-Za-z])"
)
_FOUR = re.compile(
    rf"(?<![0-9A-Za-z.,:/#'-])(?<![0-9] )({_DAY_HOUR}{_SIXTY})"
    r"(?![0-9A-Za-z/%-]|[.,][0-9]| ?(?:m?[lLg]|mcg|kg|psi|units?|cal|kcal|patients)\b)"
)
"""Four digits that may be a time, and no amount."""
_AT = any_of("""
at, arr, arrives, eta, etd, disp, enr, dep, depart, departed, obs, handover, start, dose, out, given
called, recalled, rang, paged, informed, notified, seen, time, vs
""")
_TIMED = re.compile(rf"(?i)(?:(?<![0-9A-Za-z]){_AT}[ :]{{1,3}}|[@~] ?)\Z")
"""What a time stands behind; of most years something else is told."""
_ITEM = re.compile(r"(?:[;|>\u2192] ?|[.] |[ \t]{2,}|^[ \t*+-]{0,4})\Z")
"""What an item of a row or a list begins behind."""
_BEFORE = 16
"""Characters before a time that are looked at."""
_LONGEST_ITEM = 60
"""Characters from a time to the next one."""
_FEWEST = 2
"""So many numbers that are times for sure show how a note writes them."""
_HOURS_APART = 240
"""Minutes between a time and another one beside it, at most: observations are taken so often."""
_DAY = 24 * 60
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}"
_NO_DATE = r"(?:1[3-9]|2[0-3])\.(?:1[3-9]|[2-5][0-9])"
_DOTTED_OF_DAY = re.compile(
    rf"(?i)(?:(?<![0-9A-Za-z.,/-])(?P<time>{_NO_DATE}) {{1,3}}{_WEEKDAY}\b"
    rf"|\b{_WEEKDAY} {{1,3}}(?P<later>{_NO_DATE})(?![0-9A-Za-z./-])"
    r"|(?<![0-9])[0-9]{1,2}(?P<sign>[/.-])[0-9]{1,2}(?P=sign)(?:[0-9]{2}|[12][0-9]{3})[ \t]{1,3}"
    rf"{_WEEKDAY}[ \t]{{1,3}}(?P<third>{_HOUR}\.{_SIXTY})(?![0-9A-Za-z/-]|\.[0-9]))"
)
"""Beside a weekday, an hour and a minute that are no day and month, or that follow the date."""
_DOTTED_DONE = re.compile(
    r"(?i)(?<![a-z])(?:(?:rang|called|phoned) back|did|done|seen|sent) "
    rf"({_HOUR}\.{_SIXTY})(?![0-9A-Za-z/-]|\.[0-9])"
)
_HALF_DAY = re.compile(
    r"(?i)(?:[0-9] ?|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6} )([ap]\.m)(?![A-Za-z])"
)
_BEHIND_DATE = re.compile(
    r"(?i)(?:(?<![0-9/.-])[0-9]{1,2}[/.-][0-9]{1,2}(?:[/.-](?:[0-9]{2}|[12][0-9]{3}))?"
    r"|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
    r"(?:[ ,]{1,2}(?:[0-9]{2}|[12][0-9]{3}))?)"
    rf"[ \t]{{1,4}}({_DAY_HOUR}{_SIXTY})(?![0-9A-Za-z./:,-])"
)
_LINE = re.compile(rf"(?m)^[ \t*+-]{{0,4}}({_DAY_HOUR}{_SIXTY})[ \t]{{1,4}}(?=[^ \t\n0-9])")
_LOG = 3
"""So many lines that begin with ascending times are a log."""
_YEARS = range(1900, 2060)
_PAST = range(1900, PRESENT + 1)


def _is_no_year(number: str) -> bool:
    """Return whether a number of four digits is no year of a note."""
    return int(number) not in _YEARS


def _is_hardly_year(number: str) -> bool:
    """Return whether a number of four digits is no year up to the next one."""
    return int(number) not in range(_YEARS.start, PRESENT + 2)


def _is_no_past_year(number: str) -> bool:
    """Return whether a number of four digits is no year in which something was done."""
    return int(number) not in _PAST


FORMS = (
    LineForm(_CLOCK, NUMERIC),
    LineForm(_HALF_DAY, PERSONS, group=1),
    LineForm(_TOLD, NUMERIC, group=1, counts=_is_no_past_year),
    LineForm(_ON_CALL_OUT, NUMERIC, group=1),
    LineForm(_IN_HOURS, NUMERIC),
    LineForm(_BEHIND_DATE, NUMERIC, group=1, counts=_is_no_year),
)
"""Times of day; of four digits alone those that are no years."""


def find_log_times(text: str, lines: Iterable[NoteLine]) -> Iterator[ClinicalValue]:
    """Yield the times that the lines of a log begin with, if any of ``lines`` begins so.

    They ascend, as the numbers of a register do; but those go up by one.
    """
    if not any(_LINE.match(text, line.start) for line in lines):
        return
    entries = list(_LINE.finditer(text))
    times = [int(entry[1]) for entry in entries]
    steps = [later - earlier for earlier, later in pairwise(times)]
    rising = sum(step >= 0 for step in steps)
    if len(times) < _LOG or rising < len(steps) - 1 or all(step == 1 for step in steps):
        return
    for entry in entries:
        yield ClinicalValue(*entry.span(1), NUMERIC)


def find_dotted_times(text: str) -> Iterator[ClinicalValue]:
    """Yield the times with a dot (``17.40 Fri``) of a note that surely writes some so.

    In such a note, a number behind a deed (``rang back 8.05``) is a time too, which may be a date
    or a value in others.
    """
    sure = list(_DOTTED_OF_DAY.finditer(text))
    for match in sure:
        yield ClinicalValue(*match.span(match.lastgroup or 0), NUMERIC)
    for match in _DOTTED_DONE.finditer(text) if sure else ():
        yield ClinicalValue(*match.span(1), NUMERIC)


def find_times_like_years(text: str) -> Iterator[ClinicalValue]:
    """Yield the numbers that are times and could be years, in a note that writes times so.

    ``arr 1942`` and ``marked at 1955; 2030 at wrist; 2110`` are times if another one of the note is
    some hours away at most, and a word of times is before them, or they stand in a row with it.
    """
    found = list(_FOUR.finditer(text))
    before = [text[_begin_line(text, one) : one.start()] for one in found]
    told = [_TIMED.search(words) is not None for words in before]
    begins = [_ITEM.search(words) is not None for words in before]
    sure = {one.start(1) for one in _ON_CALL_OUT.finditer(text)}
    sure |= {one.start() for one in _IN_HOURS.finditer(text)}
    known = [
        one.start() in sure or (_is_hardly_year(one[1]) and (told[place] or begins[place]))
        for place, one in enumerate(found)
    ]
    if sum(known) < _FEWEST:
        return
    # Each time once: a day has few of them, a long note has many numbers.
    times = {one[1] for one, is_time in zip(found, known, strict=True) if is_time}
    # Forth, then back, as the first of a row may be known by the last.
    for place in (*range(len(found)), *reversed(range(len(found)))):
        number = found[place][1]
        if known[place] or min(_count_minutes(number, time) for time in times) > _HOURS_APART:
            continue
        row = begins[place] and _is_in_row(text, found, known, place)
        if told[place] or row or _is_hardly_year(number):
            known[place] = True
            times.add(number)
    for one, is_time in zip(found, known, strict=True):
        if is_time and not _is_no_year(one[1]) and one.start() not in sure:
            yield ClinicalValue(*one.span(1), NUMERIC)


def _begin_line(text: str, one: re.Match[str]) -> int:
    """Return where what is looked at before a number begins: on its line."""
    return max(one.start() - _BEFORE, text.rfind("\n", 0, one.start()) + 1)


def _is_in_row(
    text: str, found: Sequence[re.Match[str]], known: Sequence[bool], place: int
) -> bool:
    """Return whether a known time is right before a number, or behind it, in the same line.

    The later one follows the other: in ``home at 2240. 2019 TKR`` it is a year.
    """
    for first, second in ((place - 1, place), (place, place + 1)):
        if first >= 0 and second < len(found) and (known[first] or known[second]):
            gap = text[found[first].end() : found[second].start()]
            steps = _count_minutes_to(found[first][1], found[second][1]) <= _HOURS_APART
            if len(gap) <= _LONGEST_ITEM and "\n" not in gap and steps:
                return True
    return False


def _count_minutes(one: str, other: str) -> int:
    """Return how many minutes two times are apart, over midnight if that is less."""
    return min(_count_minutes_to(one, other), _count_minutes_to(other, one))


def _count_minutes_to(one: str, later: str) -> int:
    """Return how many minutes after a time another one comes next."""
    first, second = (60 * int(time[:2]) + int(time[2:]) for time in (one, later))
    return (second - first) % _DAY
