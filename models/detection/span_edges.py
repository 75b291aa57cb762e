"""Cut off the edges of spans what is no part of an identifier, and whole lines that are none.

A tagger takes a title, a degree or the next cell of a table into a span. What the name operator
would leave as it is anyway, and what cannot stand by itself on its line, is cut off here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from deidstream.models.date_reading import DateReading, Slot
from deidstream.models.detection.stretches import Stretches, strip_signs
from deidstream.models.keyring import canonical
from deidstream.models.mention import NoteFacts
from deidstream.models.phi.contacts.handles import ROLES
from deidstream.models.phi.dates.calendar import (
    MONTH_OF,
    WEEKDAY_OF,
    WEEKDAYS,
    are_day_letters,
)
from deidstream.models.phi.dates.holidays import holiday
from deidstream.models.phi.dates.ranges import read_dates
from deidstream.models.phi.names.kept_words import PARTICLES, stays_at_edge
from deidstream.models.phi.names.name_lists import is_known
from deidstream.models.phi.names.stops import UNITS
from deidstream.models.phi.not_phi import abbreviations, common_words, fold_term, fold_terms
from deidstream.models.text import titles
from deidstream.models.text.characters import is_invisible
from deidstream.models.text.eponyms import EPONYMS
from deidstream.models.text.runs import words
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import (
    INSTITUTIONS,
    NUMBERS,
    PERSONS,
    PHONES,
    TIMES,
    LabelGroup,
    PhiLabel,
    labels_of,
)
from deidstream.schemas.span import Span

_PLACES = INSTITUTIONS | labels_of(LabelGroup.REGION, LabelGroup.PLACE)
_LEADING_SMALL = frozenset({"a", "at", "by", "from", "in", "of", "the", "to"})
_FIELDS = frozenset(
    {"client", "dob", "first", "forename", "last", "patient", "pt", "surname", "unkn"}
)
"""Names of fields that stand before a name or between its parts."""
_BED = re.compile(
    r"(?<![^\W_])(?i:bays?|beds?|cub(?:icle)?|chair|cot|trolley)[. ]?[ #]?"
    r"(?:[0-9]{1,3}[A-Z]?|[A-Z])\Z|(?<=[0-9][A-Z] )[0-9]{1,3}-[A-D]\Z"
)
"""Where a patient lies within a ward, which is no more PHI than the number of a bed alone."""
_LONGEST_BED = 16
_CELL = re.compile(r"[^ \t]+(?: {1,2}[^ \t]+)*")
"""A cell of a line: what stands between tabs or three spaces and more."""
_SEX = re.compile(r" [MF](?=[ |,/]{1,8}[0-9]{1,3}(?![0-9/]))")
"""Behind a whole name and before an age, a letter is no initial: ``Nadia Orton F  66``."""
_BEHIND_DASH = re.compile(r" [-\u2013](?: [A-Z]{1,2})?\Z")
"""A side or a node behind a name on a label: ``LEBLANC N - R``."""
_TITLES_BEHIND = (titles.OF_MEN | titles.OF_WOMEN) & titles.EVIDENT & titles.NEVER_NAMES
_WORD = re.compile(r"[^\W\d_]+")
_FIRST_PART = re.compile(r"[A-Z]/[A-Z](?=\.?\s)")
_UNKNOWN = NoteFacts()
_LONE = frozenset({Slot.TEXT, Slot.SUFFIX, Slot.DAY})
"""All that a day of the month alone has."""
_YEAR_ALONE = frozenset({Slot.YEAR, Slot.TEXT})
_YEAR_DIGITS = 4
_ORDINAL = frozenset({Slot.SUFFIX, Slot.DAY_WORD})
_AT_ONCE = frozenset({Slot.COMPACT, Slot.ISO})
"""Digits that are a day, a month and a year."""
_ITEM = re.compile(r"[^\W\d_]{3,}(?=[0-9])|\S+")
"""A word, or what touches a number: ``dated03.06.24``."""
_MOST_WORDS = 12
"""Words of a text in which dates are looked for."""
_DATED_DIGITS = frozenset({1, 2, 4, 6, 8})
"""Of a day or a month, of a year, of both and of all three."""
_SHORT_WEEKDAY = 2
_OFTEN = 32
"""Spans between two looks at the clock."""
_LEAST_TIME, _WHOLE_DIGITS = 4, 6
"""Digits of a time of day without a sign, and of a date with its year at least."""
_LONG_LINE = 55
"""Characters from which on a line may have been broken because it was full."""
_BETWEEN_CELLS = ("|", "\t", "  ")
_CLOSING = {")": "(", "]": "[", "}": "{", "\u201d": "\u201c"}
_MOST_SIGNS = 4
"""Signs at the end of a span that are looked at."""
_OPENING = frozenset({*_CLOSING.values(), " "})
_INITIALS = 2
_WHOLE_NUMBER, _WHOLE_DATE, _WHOLE_WORD = 5, 3, 3
"""Digits of a number and of a date, and letters of a word, that stand by themselves on a line."""


def trim_spans(text: str, spans: Iterable[Span], *, hidden: Sequence[Span]) -> tuple[Span, ...]:
    """Trim spans one by one; what the sender and the site state stays as it is.

    A span that crosses a line end is cut there unless the line was broken because it was full, or
    tears a word or number in two. Of its pieces those stay that could stand alone.

    Args:
        text: The note.
        spans: In any order.
        hidden: What was found where lines are joined, or other signs left out.
    """
    torn = Stretches.of_spans(one for one in hidden if "\n" in text[one.start : one.end])
    trimmed: list[Span] = []
    for span in within_time(spans, every=_OFTEN):
        if span.source.startswith("known") or span.of_site:
            trimmed.append(span)
            continue
        for piece in _cut_at_line_ends(text, span, torn):
            for start, last in _trim(text, span.label, *piece):
                end = _leave_lone_signs(text, start, last)
                # The article before a date, which a tagger may set apart from it, is no date.
                article = span.label is PhiLabel.DATE and text[start:end] in _LEADING_SMALL
                if start < end and not article:
                    trimmed.append(span.at(start, end))
    return tuple(trimmed)


def _leave_lone_signs(text: str, start: int, end: int) -> int:
    """Return an end without brackets and quotation marks of which the other is not in the span."""
    for _ in range(min(end - start, _MOST_SIGNS)):
        if text[end - 1] not in _OPENING and not _is_lone(text[end - 1], text[start:end]):
            break
        end -= 1
    return end


def _is_lone(sign: str, written: str) -> bool:
    if sign == '"':
        return written.count(sign) % 2 == 1
    return sign in _CLOSING and written.count(sign) > written.count(_CLOSING[sign])


def _cut_at_line_ends(text: str, span: Span, torn: Stretches) -> list[tuple[int, int]]:
    one = (span.start, span.end)
    if "\n" not in text[span.start : span.end]:
        return [one]
    if torn.within(*one) is not None:
        return [one]
    if span.label is PhiLabel.DATE and not _is_read_over_lines(text[span.start : span.end]):
        pieces = list(_cut_at(text, span, _find_line_ends(text, span)))
        if dated := [piece for piece in pieces if _is_read(text[slice(*piece)])]:
            # The number that ends the line above is none: "Amio 150" and a line that has a date.
            return [piece for piece in pieces if piece in dated or _holds_word(text, piece)]
    pieces = list(_cut_at(text, span, _find_breaks(text, span)))
    whole = [piece for piece in pieces if _stands_alone(text[slice(*piece)], span.label)]
    return whole or pieces


def _is_read_over_lines(written: str) -> bool:
    return _is_read(written) or _is_read(written.replace("\n", ""))


def _cut_at(text: str, span: Span, ends: Iterable[int]) -> Iterator[tuple[int, int]]:
    start = span.start
    for end in [*ends, span.end]:
        piece = strip_signs(text, start, end)
        if piece[0] < piece[1]:
            yield piece
        start = end


def _find_line_ends(text: str, span: Span) -> Iterator[int]:
    place = text.find("\n", span.start, span.end)
    while place >= 0:
        yield place
        place = text.find("\n", place + 1, span.end)


def _holds_word(text: str, piece: tuple[int, int]) -> bool:
    return any(len(word) >= _WHOLE_WORD for word in _WORD.findall(text[slice(*piece)]))


def _count_digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _find_breaks(text: str, span: Span) -> Iterator[int]:
    """Yield the line ends within a span that neither a full line of prose nor a hyphen has."""
    for place in _find_line_ends(text, span):
        line = text[text.rfind("\n", 0, place) + 1 : place]
        prose = len(line) >= _LONG_LINE and not any(sign in line for sign in _BETWEEN_CELLS)
        if not (prose and not text[place + 1 : place + 2].isspace()) and line[-1:] != "-":
            yield place


def _stands_alone(piece: str, label: PhiLabel) -> bool:
    digits = _count_digits(piece)
    letters = [len(word) for word in _WORD.findall(piece)]
    if label in TIMES:
        return digits >= _WHOLE_DATE or any(letter >= _WHOLE_WORD for letter in letters)
    if label in NUMBERS or label in PHONES:
        return digits >= _WHOLE_NUMBER
    return any(letter >= _WHOLE_WORD for letter in letters)


def _trim(text: str, label: PhiLabel, start: int, end: int) -> Iterable[tuple[int, int]]:
    if label in PERSONS:
        return (_trim_name(text, start, end),)
    if label in _PLACES:
        # A heading may stand on the line of a hospital, and is a unit of any.
        cells = [(start, end)] if "\n" in text[start:end] else _find_cells(text, start, end)
        return [_trim_place(text, *cell) for cell in cells]
    if label is PhiLabel.DATE:
        return _set_dates_apart(text, *_trim_date(text, start, end))
    return ((start, end),)


def _trim_name(text: str, start: int, end: int) -> tuple[int, int]:
    start = strip_signs(text, start, end)[0]
    role = _FIRST_PART.match(text, max(start - 2, 0), end)
    if role is not None and start < role.end() < end:
        start = strip_signs(text, role.end(), end)[0]
    start, end = _leave_cells(text, start, end)
    if _SEX.match(text, end - 2) and text.count(" ", start, end) >= _INITIALS:
        end -= 2
    if behind := _BEHIND_DASH.search(text, start, end):
        end = behind.start()
    tokens = [run.text for run in words(text[start:end])]
    first, last = 0, len(tokens)
    while first + 2 < last and (_leaves(tokens, first) or _is_short_role(tokens, first)):
        first += 2
    unit = next((place for place in range(first + 2, last, 2) if _is_unit(tokens, place)), last + 1)
    # Somebody else may be named behind it: ``Fitz Paeds Ximena``.
    if not any(word.isalpha() and _may_be_name(word) for word in tokens[unit:last:2][1:]):
        last = min(last, unit - 1)
    while first < last - 2 and (_leaves(tokens, last - 1) or _is_beside(tokens, last - 1)):
        last -= 2
    return start + len("".join(tokens[:first])), start + len("".join(tokens[:last]))


def _leave_cells(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the cells beside a name that hold none: the shifts in ``Borg       E   E   SD``.

    Names in cells beside each other stay together, as they may be of one person.
    """
    cells = _find_cells(text, start, end)
    while len(cells) > 1 and not _may_be_named(text[slice(*cells[-1])]):
        cells.pop()
    while len(cells) > 1 and not _may_be_named(text[slice(*cells[0])]):
        cells.pop(0)
    return (cells[0][0], cells[-1][1]) if cells else (start, end)


def _find_cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [match.span() for match in _CELL.finditer(text, start, end)]


def _may_be_named(cell: str) -> bool:
    """Return whether a cell has a number, or a word that may be a name by itself."""
    return bool(_count_digits(cell)) or any(map(_may_be_name, _WORD.findall(cell)))


def _may_be_name(word: str) -> bool:
    form = fold_term(word)
    if is_known(form):
        return len(form) >= _WHOLE_WORD or word.istitle()
    return len(form) >= _WHOLE_WORD and form not in abbreviations() and form not in common_words()


def _leaves(tokens: list[str], place: int) -> bool:
    return canonical(tokens[place]) in _FIELDS or stays_at_edge(tokens, place)


def _is_unit(tokens: list[str], place: int) -> bool:
    """Return whether a word behind a name is where the person works: ``Ruan Ortho``."""
    form = canonical(tokens[place])
    listed = form in UNITS or (form in ROLES and not is_known(form))
    return listed and len(form) > _INITIALS and tokens[place - 1] == " "


def _is_beside(tokens: list[str], place: int) -> bool:
    """Return whether the word behind a name is a title, an abbreviation or a word of the sentence.

    In ``Bishnoi Sir``, ``Banerji, Mrs``, ``Ruane CNS`` and ``Aw favours`` it is.
    """
    name, gap, word = tokens[place - 2 : place + 1]
    form = canonical(word)
    if form in _TITLES_BEHIND and gap in {" ", ", "}:
        return True
    if gap != " " or not name[:1].isupper() or is_known(form) or len(form) <= _INITIALS:
        return False
    abbreviated = word.isupper() and not name.isupper() and form in abbreviations()
    return abbreviated or (word.islower() and form in common_words() and form not in PARTICLES)


def _is_short_role(tokens: list[str], place: int) -> bool:
    """Return whether an abbreviation in capitals is before a name that is not: ``PSW Quill``."""
    word, gap, name = tokens[place : place + 3]
    form = canonical(word)
    listed = form in abbreviations() and len(form) > _INITIALS and not is_known(form)
    return listed and word.isupper() and gap == " " and name.istitle()


def _trim_place(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out small words before a place, and the bed behind it, which is nobody's address."""
    start = strip_signs(text, start, end)[0]
    word = _WORD.match(text, start, end)
    while word is not None and word.end() < end and word[0] in _LEADING_SMALL:
        start = strip_signs(text, word.end(), end)[0]
        word = _WORD.match(text, start, end)
    bed = _BED.search(text, max(start, end - _LONGEST_BED), end)
    return strip_signs(text, start, bed.start()) if bed else (start, end)


def _trim_date(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out a word at one end without which a date can be read, and with which it cannot.

    ``16 Feb 109`` is a day and a result. What may be a part of a date stays.
    """
    written = text[start:end]
    first, last = text.find(" ", start, end), text.rfind(" ", start, end)
    # What is torn or hidden between its letters was read by what takes that away.
    if first < 0 or "\n" in written or any(map(is_invisible, written)) or _is_read(written):
        return start, end
    for cut, (left, right) in (((last, end), (start, last)), ((start, first), (first, end))):
        kept = strip_signs(text, left, right)
        word, date = text[slice(*cut)].strip(), text[slice(*kept)]
        beyond = left > start and _is_whole(date) and word.isdigit() and len(word) < _LEAST_TIME
        if (beyond or not _may_be_dated(word)) and _is_read(date):
            return kept
    return start, end


def _set_dates_apart(
    text: str, start: int, end: int, *, beside: bool = False
) -> Iterator[tuple[int, int]]:
    """Cut a text that is not read as a whole at the dates in it: ``Jumma 29-9-23``.

    What is left of it stays a part by itself, but for letters that touch a date; beside a date, the
    ordinal number of a day is one too: ``the 3rd, no, the 13th of May``.
    """
    words = [(start + one.start(), start + one.end()) for one in _ITEM.finditer(text[start:end])]
    if not 1 < len(words) <= _MOST_WORDS or read_dates(text[start:end], _UNKNOWN):
        words = []
    alone = _count_digits(text[start:end]) == _YEAR_DIGITS
    for count in range(len(words) - 1, 0, -1):
        for first in range(len(words) - count + 1):
            piece = strip_signs(text, words[first][0], words[first + count - 1][1])
            if _is_dated(text[slice(*piece)], alone=alone, beside=beside):
                touched = first > 0 and words[first - 1][1] == piece[0]
                left = strip_signs(text, start, words[first - 1][0] if touched else piece[0])
                right = strip_signs(text, piece[1], end)
                if any(map(_is_number, (text[slice(*left)], text[slice(*right)]))):
                    continue
                yield from _set_dates_apart(text, *left, beside=True)
                yield piece
                yield from _set_dates_apart(text, *right, beside=True)
                return
    yield start, end


def _is_number(text: str) -> bool:
    """Return whether a text has digits and no letter, as a year behind a day may: ``4 May 7``."""
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _is_dated(text: str, *, alone: bool, beside: bool) -> bool:
    """Return whether a text is dates that each say a day of a month, a month of a year, or a year.

    A weekday or a month alone may belong to the words beside it (``White Sunday``), ``9-1`` may be
    hours, and of a number that is said only the whole sentence tells what it counts.

    Args:
        text: A part of the text of a span.
        alone: A year of four digits has all digits of that text.
        beside: The part is beside a date of it, so that an ordinal number is a day.
    """
    dates = read_dates(text, _UNKNOWN) if beside or _count_digits(text) or " " in text else ()
    slots = [{item.slot for item in one.fields} for one in dates]
    if beside and dates and all(slot & _ORDINAL for slot in slots):
        return True
    years = alone and slots == [slots[0] & _YEAR_ALONE] if slots else False
    return years or (bool(dates) and all(map(_says_much, dates)))


def _says_much(one: DateReading) -> bool:
    """Return whether a date has a day and its month, or a month and its year, and not by chance."""
    slots = {item.slot for item in one.fields}
    worded = Slot.MONTH_WORD in slots
    joined = worded or any("/" in item.text for item in one.fields)
    year = any(item.slot is Slot.YEAR and item.text.isdigit() for item in one.fields)
    day = not slots.isdisjoint({Slot.DAY, Slot.DAY_WORD})
    month = worded or Slot.MONTH in slots
    pair = (day or year) and month and joined
    return pair or (day and month and year) or not slots.isdisjoint(_AT_ONCE)


def _is_read(text: str) -> bool:
    """Return whether a text is dates, and none of them a day of the month alone."""
    word = _WORD.match(text)
    if word is not None and len(word[0]) == _SHORT_WEEKDAY and not _is_calendar_word(word[0]):
        return False
    dates = read_dates(text, _UNKNOWN)
    return bool(dates) and all({item.slot for item in one.fields} - _LONE for one in dates)


def _is_whole(text: str) -> bool:
    """Return whether a text is one day with its month and its year, to which no number belongs."""
    return len(text.split()) == 1 and _count_digits(text) >= _WHOLE_DIGITS and _is_read(text)


def _may_be_dated(word: str) -> bool:
    """Return whether a word may be a part of a date or the name of a feast: ``White Sunday``.

    No feast is called by an eponym: ``Takotsubo 2017``.
    """
    title = word.istitle() and fold_term(word) not in fold_terms(EPONYMS)
    named = title or holiday(word) is not None or _is_calendar_word(word)
    return named or word[:1] == "0" or _count_digits(word) in _DATED_DIGITS


def _is_calendar_word(word: str) -> bool:
    """Return whether a word is a month or a weekday, or letters of some weekdays: ``MWF``."""
    folded = word.casefold()
    if folded in MONTH_OF or are_day_letters(folded):
        return True
    form, _ = WEEKDAY_OF.get(folded, (None, 0))
    # In capitals two letters are a weekday of English alone: MI is an infarction.
    foreign = form is not None and WEEKDAYS[form].language != "English"
    return form is not None and not (foreign and word.isupper() and len(word) == _SHORT_WEEKDAY)
