"""Make certain the dates in numbers that the other dates of their note confirm.

Recognizers see a sentence, and a row of a table has none: ``INR 3/1 3/3`` or ``40 mg IV 10.3.15``
they doubt, or take for something else. A date is confirmed

- with its year, if the note has one of about that year whose form the tagger is sure of;
- without a year, if it stands in a row of days, or cannot be a score, and the note has dates about
  its month or the tagger reads one there (``detection.clinical.fractions``);
- as a lone day, if it is in a list or a range with a day and month in words that the tagger is sure
  of: ``December 22 and 23``.
"""

import re
from collections.abc import Iterable, Sequence

from deidstream.models.detection.clinical.fractions import TaggedDates, find_fraction_dates
from deidstream.models.detection.clinical.unlike_dates import find_like_dates
from deidstream.models.detection.reconcile import CONFIRMED
from deidstream.models.detection.stretches import Stretches
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

_LIKELY, _RATHER_SURE, _SURE = 0.5, 0.8, 0.95
"""Scores of the tagger. Of 428 days and months of eight sets that they confirm, five are no dates
(docs/evaluation.md)."""
_TAGGER = "tagger"
_YEARS = 2
"""Years that may lie between a date and another one that confirms it."""
_DATED = re.compile(
    r"[0-9]{1,2}([/.-])[0-9]{1,2}\1(?P<last>(?:19|20)?[0-9]{2})"
    r"|(?P<first>(?:19|20)[0-9]{2})([/.-])[0-9]{2}\4[0-9]{2}(?:[T ].*)?"
    r"|[A-Za-z]{3,9}\.? [0-9]{1,2},? (?P<year>(?:19|20)[0-9]{2})"
)
_CENTURY = 100
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_LONE_BEFORE = re.compile(
    rf"(?<![0-9A-Za-z.,/:-])({_DAY})(?:st|nd|rd|th)?(?: ?[-\u2013,&] ?| (?:and|or|to) )\Z"
)
_LONE_BEHIND = re.compile(
    rf"(?: ?[-\u2013&] ?| (?:and|or|to) )({_DAY})(?:st|nd|rd|th)?(?![0-9A-Za-z/:%-]|[.,][0-9])"
)
"""A day alone that a list or a range joins to a date."""
_DAY_LEADS = re.compile(rf"({_DAY})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? [0-9]{{4}})?")
_MONTH_LEADS = re.compile(rf"{_MONTH} ({_DAY})(?:st|nd|rd|th)?")
_SEEN = 12
"""Characters beside a date in which another day of its list is looked for."""
_PARTIAL = "rules:date.partial"
"""The rule of dates without a year; what it refuses by the words beside it may still be one."""


def confirm_dates(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a note, with those of confirmed dates as certain as their form.

    Args:
        text: The note.
        spans: What recognizers reported on it, with what is possible to the tagger.
    """
    if not any(span.label is PhiLabel.DATE for span in spans):
        return tuple(spans)
    return (
        *_confirm_whole(text, spans),
        *_confirm_partial(text, spans),
        *_confirm_listed(text, spans),
    )


def _confirm_whole(text: str, spans: Sequence[Span]) -> Iterable[Span]:
    """Yield the spans, dates with a year confirmed by those that the tagger is sure of."""
    sure = {
        year
        for span in spans
        if span.source == _TAGGER and span.label is PhiLabel.DATE and span.score >= _SURE
        if (year := _find_year(text, span)) is not None
    }
    near = {year + step for year in sure for step in range(-_YEARS, _YEARS + 1)}
    for span in spans:
        doubted = span.label is PhiLabel.DATE and span.source.startswith("rules")
        confirmed = doubted and span.score < CONFIRMED and _find_year(text, span) in near
        yield span.scored(CONFIRMED) if confirmed else span


def _find_year(text: str, span: Span) -> int | None:
    """Return the year within its century of a whole date; ``None`` for any other text."""
    found = _DATED.fullmatch(text, span.start, span.end)
    return int(found["last"] or found["first"] or found["year"]) % _CENTURY if found else None


def _confirm_partial(text: str, spans: Sequence[Span]) -> Iterable[Span]:
    """Yield the dates without a year that the note confirms."""
    dated = [s for s in spans if s.label is PhiLabel.DATE]
    tagged = [s for s in dated if s.source == _TAGGER]
    possible = [*dated, *(s for s in spans if s.source == POSSIBLE)]
    said = TaggedDates(
        seen=Stretches.of_spans(s for s in possible if s.source.startswith(_TAGGER)),
        likely=Stretches.of_spans(s for s in tagged if s.score >= _LIKELY),
        rather_sure=Stretches.of_spans(s for s in tagged if s.score >= _RATHER_SURE),
        aged=Stretches.of_spans(
            s
            for s in spans
            if s.source == _TAGGER and s.label is PhiLabel.AGE and s.score >= _RATHER_SURE
        ),
    )
    for start, end in find_fraction_dates(text, said):
        yield Span(start, end, PhiLabel.DATE, CONFIRMED, _PARTIAL)
    for start, end in find_like_dates(text):
        if said.rather_sure.covers(start, end):
            yield Span(start, end, PhiLabel.DATE, CONFIRMED, _PARTIAL)


def _confirm_listed(text: str, spans: Sequence[Span]) -> Iterable[Span]:
    """Yield the days alone beside a day with its month in words: ``18 and 20 June``."""
    for span in spans:
        sure = span.source == _TAGGER and span.label is PhiLabel.DATE and span.score >= _SURE
        if not sure:
            continue
        if led := _DAY_LEADS.fullmatch(text, span.start, span.end):
            first = max(0, span.start - _SEEN)
            one = _LONE_BEFORE.search(text[first : span.start])
            if one and int(one[1]) < int(led[1]):
                yield Span(
                    first + one.start(1), first + one.end(1), PhiLabel.DATE, CONFIRMED, _PARTIAL
                )
        if led := _MONTH_LEADS.fullmatch(text, span.start, span.end):
            one = _LONE_BEHIND.match(text, span.end, span.end + _SEEN)
            if one and int(one[1]) > int(led[1]):
                yield Span(one.start(1), one.end(1), PhiLabel.DATE, CONFIRMED, _PARTIAL)
