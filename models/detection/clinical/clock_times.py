"""Find times of day, with their seconds and their offset, which are no date and no number."""

import re
from collections.abc import Iterable, Iterator
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
    rf"(?:(?<![0-9A-SU-Za-z:.,])|(?<=[12][0-9]{{3}}:)){_HOUR}:{_SIXTY}(?::{_SIXTY}(?:[.,][0-9]{{1,9}})?)?"
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
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}"
_NO_DATE = r"(?:1[3-9]|2[0-3])\.(?:1[3-9]|[2-5][0-9])"
_DOTTED_OF_DAY = re.compile(
    rf"(?i)(?:(?<![0-9A-Za-z.,/-])(?P<time>{_NO_DATE}) {{1,3}}{_WEEKDAY}\b"
    rf"|\b{_WEEKDAY} {{1,3}}(?P<later>{_NO_DATE})(?![0-9A-Za-z./-]))"
)
"""Beside a weekday, an hour and a minute that are no day and month."""
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


def _is_no_past_year(number: str) -> bool:
    """Return whether a number of four digits is no year in which something was done."""
    return int(number) not in _PAST


FORMS = (
    LineForm(_CLOCK, NUMERIC),
    LineForm(_HALF_DAY, PERSONS, group=1),
    LineForm(_TOLD, NUMERIC, group=1, counts=_is_no_past_year),
    LineForm(_ON_CALL_OUT, NUMERIC, group=1),
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
