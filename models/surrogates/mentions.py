"""Prepare the spans of a note for the operators, with the facts of the whole note."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

import re2

from deidstream.models.date_reading import DateReading, Slot
from deidstream.models.mention import Identity, Mention, NameUses, NoteFacts, Readings
from deidstream.models.phi.codes.code_cues import kind_length
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.codes.short_codes import index_codes
from deidstream.models.phi.dates.age_limit import note_years
from deidstream.models.phi.dates.feast_phrases import SEEN, find_preface
from deidstream.models.phi.dates.meaning import REFERENCE_YEAR, find_day, parts
from deidstream.models.phi.dates.order import day_first, omits_zeros, year_follows_month
from deidstream.models.phi.dates.ranges import JOINT, complete, read_dates, read_expiry
from deidstream.models.phi.names.name_use import WINDOW, NamedPlace, find_uses
from deidstream.models.phi.places.cities import city_key
from deidstream.models.phi.places.locate_towns import WrittenRegion, locate_towns
from deidstream.models.phi.places.regions import REGIONS, ZIP, cut_regions
from deidstream.models.phi.read_age import read_age
from deidstream.models.surrogates.land_signs import count_land_signs
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import INSTITUTIONS, NUMBERS, PERSONS, PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_TO_COME = re2.compile(
    r"(?i)\b(?:edd|edc|edb|due|expected|next|rtc|return|scheduled|booked|planned|appt|appointment|tci"
    r"|listed)\b[^.;\n]{0,24}$"
)
"""Before a date after the note: a birth, an appointment."""
_GONE = re2.compile(
    r"(?i)\b(?:since|last|past|previous|started|began|stopped|ended|died|hospitali[sz]ed|admitted"
    r"|discharged|fell|injured)\b[^.;\n]{0,24}$"
)
"""Before a date before the note."""
_EXPIRES = re2.compile(r"(?i)\bexp(?:iry|ires|iration|iring)?(?: date)?[.: ]*$")
"""Before month and year of what goes off."""
_TIMED = re2.compile(r"^[ ,@T]{1,3}[0-2][0-9]:?[0-5][0-9]\b")
"""A time of day, which only a day has."""
_LONGEST_TIME = 9
_CUE = 40
"""Characters before a date that are looked at."""
_PLACED = (PhiLabel.ZIP, PhiLabel.PHONE, PhiLabel.FAX)
"""Labels whose form depends on the country."""
_DIALLED = (PhiLabel.PHONE, PhiLabel.FAX)
_LINKED = (PhiLabel.EMAIL, PhiLabel.URL)
_NAMED_AFTER_TOWNS = (
    PhiLabel.HOSPITAL,
    PhiLabel.ORGANIZATION,
    PhiLabel.STREET,
    PhiLabel.LOCATION_OTHER,
)
"""Labels whose texts tell the country of the note."""
_LONGEST_JOINT = 20
_AHEAD = 12
"""Characters after an age that an operator sees."""
_FEWEST_WEEKDAYS, _WEEKDAY_YEARS = 2, 6
"""Days beside their weekdays that tell the year of a note, and how far it is from 2023."""
_LONE_DAY = 5
"""Most characters of a day alone, such as ``22nd``."""


def mentions(note: RawNote, spans: Sequence[Span]) -> tuple[Mention, ...]:
    """Cut the spans out of a note, with what the note as a whole says of them.

    Every date is read here, once; the mentions carry the readings.

    Args:
        note: The note.
        spans: Disjoint, in order.
    """
    texts = [note.text[span.start : span.end] for span in spans]
    form = _written_form(note, spans, texts)
    befores = _befores(note.text, spans, texts)
    written = within_time(dict.fromkeys(_of(PhiLabel.DATE, spans, texts)))
    read = {text: read_dates(text, form) for text in written}
    ages = [read_age(text) for text in _of(PhiLabel.AGE, spans, texts)]
    authored = (note.authored_at or "").strip()
    facts = replace(
        form,
        years=note_years(note.authored_at, read.values(), ages),
        noted=_find_note_date(authored, spans, texts, read, form),
        days=_find_full_dates(authored, read, form),
        towns=frozenset(map(city_key, _of(PhiLabel.CITY, spans, texts))) - {""},
        names=_find_name_uses(note, spans, texts),
        lands=locate_towns(
            _list_regions(spans, texts, befores), note.text, _count_land_signs(note, spans, texts)
        ),
        institutions=_list_institutions(spans, texts),
        codes=index_codes(
            text[kind_length(text) :]
            for span, text in zip(spans, texts, strict=True)
            if span.label in NUMBERS and span.label is not PhiLabel.SSN
        ),
    )
    found: list[Mention] = []
    readings = Readings()
    afters = _afters(note.text, spans, texts)
    for span, text, before, after in zip(spans, texts, befores, afters, strict=True):
        dates = None
        if span.label is PhiLabel.DATE:
            own = read[text]
            timed = _TIMED.search(note.text[span.end : span.end + _LONGEST_TIME])
            if not timed and _EXPIRES.search(_words_before(note.text, span)):
                own = read_expiry(own)
            dates = complete(
                own,
                read.get(before, ()),
                read.get(after, ()),
                facts,
                to_come=_TO_COME.search(_words_before(note.text, span)) is not None,
                gone=_GONE.search(_words_before(note.text, span)) is not None,
            )
            dates = _preface_feasts(dates, note.text, span)
        found.append(Mention(text, span.label, facts, before, after, dates, readings, span.own))
    return tuple(found)


def _preface_feasts(
    dates: tuple[DateReading, ...], text: str, span: Span
) -> tuple[DateReading, ...]:
    """Give a feast the words with which the date in its place reads in the sentence."""
    first = dates[0].fields[0] if dates else None
    if first is None or first.slot is not Slot.HOLIDAY:
        return dates
    before = text[max(0, span.start - SEEN) : span.start]
    preface = find_preface(first.text, before, text[span.end : span.end + SEEN])
    return (replace(dates[0], preface=preface), *dates[1:])


def _list_institutions(spans: Sequence[Span], texts: Sequence[str]) -> tuple[str, ...]:
    named = (t for s, t in zip(spans, texts, strict=True) if s.label in INSTITUTIONS and " " in t)
    return tuple(dict.fromkeys(named))


def _list_regions(
    spans: Sequence[Span], texts: Sequence[str], befores: Sequence[str]
) -> list[WrittenRegion]:
    """List the parts of cities, states, countries and postcodes, in order."""
    found: list[WrittenRegion] = []
    for span, text, before in zip(spans, texts, befores, strict=True):
        start = span.start
        if span.label is PhiLabel.ZIP:
            found.append(WrittenRegion(Identity(ZIP, code_of(text)), text, start, span.end))
        if span.label not in REGIONS:
            continue
        for part in cut_regions(text, span.label, first=not before):
            start += len(part.before)
            if part.identity:
                end = start + len(part.text)
                found.append(WrittenRegion(part.identity, part.text, start, end))
            start += len(part.text)
    return found


def _count_land_signs(
    note: RawNote, spans: Sequence[Span], texts: Sequence[str]
) -> Mapping[str, int]:
    """Count what tells the country of a note beside its places."""
    phones, links, named = (
        [text for label in labels for text in _of(label, spans, texts)]
        for labels in (_DIALLED, _LINKED, _NAMED_AFTER_TOWNS)
    )
    return count_land_signs(
        note.text, phones=phones, links=links, institutions=named, language=note.language
    )


def _find_name_uses(note: RawNote, spans: Sequence[Span], texts: Sequence[str]) -> NameUses:
    known = [NamedPlace(name) for name in note.known.names]
    known += [NamedPlace(name, of_staff=True) for name in note.known.staff]
    found: list[NamedPlace] = []
    end = len(note.text)
    persons = [(s, text) for s, text in zip(spans, texts, strict=True) if s.label in PERSONS]
    for span, text in reversed(persons):
        before = note.text[max(0, span.start - WINDOW) : span.start]
        behind = note.text[span.end : min(end, span.end + WINDOW)]
        found.append(NamedPlace(text, before, behind, span.label is PhiLabel.DOCTOR))
        end = span.start
    return find_uses(within_time([*known, *reversed(found)]))


def _words_before(text: str, span: Span) -> str:
    return text[max(0, span.start - _CUE) : span.start]


def _of(label: PhiLabel, spans: Sequence[Span], texts: Sequence[str]) -> list[str]:
    return [text for span, text in zip(spans, texts, strict=True) if span.label is label]


def _written_form(note: RawNote, spans: Sequence[Span], texts: Sequence[str]) -> NoteFacts:
    """Find out how the note writes its dates, which decides how they are read."""
    dates = _of(PhiLabel.DATE, spans, texts)
    numbers = [text for label in _PLACED for text in _of(label, spans, texts)]
    for address in note.known.addresses:
        # A postcode of Britain is two words, a ZIP code one.
        words = address.split()
        numbers += [" ".join(words[-2:]), " ".join(words[-1:])]
    numbers += note.known.phones
    leads = day_first(dates, note.language, numbers, note.text)
    return NoteFacts(
        leads,
        year_after_month=year_follows_month(dates, leads=leads, note=note.text),
        language=note.language,
        unpadded=omits_zeros(dates),
    )


def _find_note_date(
    authored_at: str,
    spans: Sequence[Span],
    texts: Sequence[str],
    read: Mapping[str, tuple[DateReading, ...]],
    form: NoteFacts,
) -> date | None:
    """Find the note's own date: that of its metadata, or the first of the most frequent year.

    Of years named equally often the latest counts. The year after it counts too: a note of January
    has most of its dates in the year before. Without a year, weekdays beside dates tell one.
    """
    own = _full_dates(read_dates(authored_at, form), form)
    if own:
        return own[0]
    days = [
        day for text in _of(PhiLabel.DATE, spans, texts) for day in _full_dates(read[text], form)
    ]
    counts = Counter(day.year for day in days)
    if not counts:
        return _find_day_by_weekdays(read)
    year = max(counts, key=lambda one: (counts[one], one))
    return next(day for day in days if day.year in {year, year + 1})


def _find_day_by_weekdays(read: Mapping[str, tuple[DateReading, ...]]) -> date | None:
    """Find the first day beside a weekday in the year in which all such days of a note agree."""
    named: list[tuple[int, int, int]] = []
    for fields in (one.fields for dates in read.values() for one in dates):
        day = parts(fields)
        weekdays = [item.value for item in fields if item.slot is Slot.WEEKDAY]
        if day.month and day.day and len(weekdays) == 1:
            named.append((day.month, day.day, weekdays[0]))
    if len(named) < _FEWEST_WEEKDAYS:
        return None
    for year in range(REFERENCE_YEAR + _WEEKDAY_YEARS, REFERENCE_YEAR - _WEEKDAY_YEARS, -1):
        with suppress(ValueError):
            days = [date(year, month, day) for month, day, _ in named]
            if [day.weekday() for day in days] == [weekday for _, _, weekday in named]:
                return days[0]
    return None


def _find_full_dates(
    authored_at: str, read: Mapping[str, tuple[DateReading, ...]], form: NoteFacts
) -> tuple[date, ...]:
    found = _full_dates(read_dates(authored_at, form), form)
    for dates in read.values():
        found += _full_dates(dates, form)
    return tuple(dict.fromkeys(found))


def _full_dates(dates: Sequence[DateReading], form: NoteFacts) -> list[date]:
    found: list[date] = []
    for one in complete(dates, (), (), form):
        try:
            day = find_day(one.fields, one.near, day_first=form.day_first)
        except (ValueError, OverflowError):
            continue
        if day.whole:
            found.append(day.day)
    return found


def _befores(text: str, spans: Sequence[Span], texts: Sequence[str]) -> list[str]:
    """Find the text of the date or city joined before each.

    A lone day passes on the date before it.
    """
    found = [""] * len(spans)
    for place in range(1, len(spans)):
        if _are_joined(text, spans[place - 1], spans[place]):
            lone = len(texts[place - 1]) < _LONE_DAY and found[place - 1]
            found[place] = found[place - 1] if lone else texts[place - 1]
        elif _names_region(text, spans[place - 1], spans[place]):
            found[place] = texts[place - 1]
    return found


def _names_region(text: str, first: Span, second: Span) -> bool:
    """Return whether the second of two cities may be what the first lies in."""
    cities = first.label is second.label is PhiLabel.CITY
    return cities and text[first.end : second.start].strip() == ","


def _afters(text: str, spans: Sequence[Span], texts: Sequence[str]) -> list[str]:
    found = [""] * len(spans)
    for place in range(len(spans) - 2, -1, -1):
        if _are_joined(text, spans[place], spans[place + 1]):
            lone = len(texts[place + 1]) < _LONE_DAY and found[place + 1]
            found[place] = found[place + 1] if lone else texts[place + 1]
    for place, span in enumerate(spans):
        if span.label is PhiLabel.AGE:
            found[place] = text[span.end : span.end + _AHEAD]
    return found


def _are_joined(text: str, first: Span, second: Span) -> bool:
    dates = first.label is second.label is PhiLabel.DATE
    if not dates or second.start - first.end > _LONGEST_JOINT:
        return False
    return JOINT.fullmatch(text[first.end : second.start]) is not None
