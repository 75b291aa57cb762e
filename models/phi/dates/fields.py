"""Cut the text of a date into fields, and join those that only together say a day or a year."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deidstream.models.date_reading import Field, Slot
from deidstream.models.phi.dates.calendar import (
    BETWEEN,
    DECADE_OF,
    FRENCH,
    FULL,
    GERMAN,
    MONTH_OF,
    ORDINAL_OF,
    ROMAN,
    SEASON_OF,
    SHORT,
    WEEKDAY_OF,
    correct_spelling,
)
from deidstream.models.phi.spelled_numbers import (
    YEAR_WORDS,
    spelled_count,
    spelled_short_year,
    spelled_year,
)
from deidstream.models.text.runs import (
    Run,
    Sort,
    join_touching,
    read_scanned_digits,
    runs,
    safe_separators,
)

_NUMERIC = re.compile(r"[0-9]{1,14}(?:[/.-][0-9]{1,14})*")
_NUMBER_OR_SIGN = re.compile(r"[0-9]+|[/.-]")


def split_fields(text: str) -> list[Field] | None:
    """Cut a date into fields whose numbers have no meaning yet; ``None`` for an unknown word."""
    if _NUMERIC.fullmatch(text):  # nearly always, and nothing in it to be read twice
        return [_read_numeric(piece) for piece in _NUMBER_OR_SIGN.findall(text)]
    fields: list[Field] = []
    for run in _split_runs(text):
        found = _word(run, fields) if run.sort is Sort.LETTERS else _plain(run)
        if found is None:
            return None
        fields.append(found)
    return fields


def _read_numeric(piece: str) -> Field:
    return Field(Slot.NUMBER, piece, int(piece)) if piece.isdigit() else Field(Slot.TEXT, piece)


def _split_runs(text: str) -> list[Run]:
    """Read what the scanner took for letters as digits: ``2O24``, ``l/6``, ``lst``."""
    return [run for token in join_touching(runs(text)) for run in runs(_correct_scan(token))]


def _correct_scan(token: str) -> str:
    if token in {"III", "II", "I"}:
        return token
    if token[-2:].casefold() in {"st", "nd", "rd", "th"} and len(token) > 2:  # noqa: PLR2004
        return read_scanned_digits(token[:-2]) + token[-2:]
    return read_scanned_digits(token)


def _plain(run: Run) -> Field | None:
    if run.sort is Sort.OTHER:
        return Field(Slot.TEXT, "".join(c if c in "~<>" else safe_separators(c) for c in run.text))
    if not (run.text.isascii() and run.text.isdigit() and len(run.text) <= 14):  # noqa: PLR2004
        return None
    return Field(Slot.NUMBER, run.text, int(run.text))


def _word(run: Run, before: list[Field]) -> Field | None:
    word = run.text.casefold()
    after_number = bool(before) and before[-1].slot is Slot.NUMBER
    if after_number and word in {"st", "nd", "rd", "th", "er"}:
        return Field(Slot.SUFFIX, run.text)
    if word == "s" and before:
        counted = -2 if before[-1].text in {"'", "\u2019"} and len(before) > 1 else -1
        if before[counted].slot is Slot.NUMBER:
            before[counted] = replace(before[counted], slot=Slot.DECADE)
            return Field(Slot.TEXT, run.text)
    if before and before[-1].slot is Slot.WEEKDAY and word == "s":
        return Field(Slot.TEXT, run.text)
    return _name_field(run.text, word) or _name_field(run.text, correct_spelling(word) or "")


def _name_field(text: str, word: str) -> Field | None:
    singular = word[:-1] if word.endswith("days") else word
    for slot, table, key in (
        (Slot.MONTH_WORD, MONTH_OF, word),
        (Slot.WEEKDAY, WEEKDAY_OF, singular),
        (Slot.SEASON, SEASON_OF, word),
    ):
        if key in table:
            form, place = table[key]
            return Field(slot, text, place, form)
    if word in DECADE_OF:
        return Field(Slot.DECADE, text, DECADE_OF[word], form=1)
    if word in ORDINAL_OF:
        return Field(Slot.DAY_WORD, text, ORDINAL_OF[word])
    if word in YEAR_WORDS:
        return Field(Slot.SPELLED, text)
    if word in {"q", "qtr", "quarter"}:
        return Field(Slot.QUARTER_WORD, text)
    return Field(Slot.TEXT, text) if word in BETWEEN else None


def month_form(fields: Sequence[Field], place: int) -> int:
    """Table that writes a month word; ``May`` is short where it touches digits or hyphens.

    In ``03-May-2024`` and ``02MAY25`` it is, in ``May 3, 2024`` it is not. A month after a day with
    a dot and a blank (``3. April 2024``) is German, and so is ``Mai`` with a capital.
    """
    item = fields[place]
    counted = place > 0 and fields[place - 1].text.startswith(". ")
    if item.form in {FULL, FRENCH} and (counted or item.text == "Mai"):
        return GERMAN
    if item.text.casefold() != "may" or item.form == ROMAN:
        return item.form
    return SHORT if is_tight(fields, place) else FULL


def is_tight(fields: Sequence[Field], place: int) -> bool:
    """Return whether a month's name touches digits, or a hyphen, slash or dot before them."""
    near = [fields[i].text for i in (place - 1, place + 1) if 0 <= i < len(fields)]
    return any(text in {"-", "/", "."} or text.isdigit() for text in near)


_FEWEST_SAID = 4
"""Words of a date in spoken numbers: fewer are a time or a count."""
_COUNTS = frozenset({Slot.NUMBER, Slot.DAY_WORD})


def join_fields(fields: list[Field]) -> list[Field] | None:
    """Join ``twenty-first``, ``Q3`` and spelled years; ``None`` if a word is left over."""
    found = _with_quarter(_with_counted_month(_with_ordinals(fields)))
    found = None if found is None else _with_years(found)
    if found is None or any(item.slot is Slot.SPELLED for item in found):
        return None
    return found


def join_spelled_numbers(fields: Sequence[Field], *, day_first: bool) -> list[Field] | None:
    """Join ``seven eleven sixty two``, a date whose numbers are all said; ``None`` for others."""
    places = [place for place, item in enumerate(fields) if item.slot is Slot.SPELLED]
    blanks = (item for item in fields if item.slot is not Slot.SPELLED)
    if len(places) < _FEWEST_SAID or any(item.text.strip(" -") for item in blanks):
        return None
    words = [fields[place].text.casefold() for place in places]
    for first, second in _cut_twice(len(words)):
        numbers = spelled_count(words[:first]), spelled_count(words[first:second])
        year = spelled_year(words[second:]) or spelled_short_year(words[second:])
        slots = (Slot.DAY, Slot.MONTH) if day_first else (Slot.MONTH, Slot.DAY)
        if year is None or None in numbers or "and" in words[:second]:
            continue
        cuts = (0, places[first], places[second], len(fields))
        texts = ["".join(item.text for item in fields[a:b]) for a, b in itertools.pairwise(cuts)]
        found: list[Field] = []
        for slot, text, value in zip((*slots, Slot.YEAR), texts, (*numbers, year), strict=True):
            said = text.rstrip()
            found.append(Field(slot, said, value or 0))
            if said != text:
                found.append(Field(Slot.TEXT, text[len(said) :]))
        return found
    return None


def _cut_twice(count: int) -> Iterator[tuple[int, int]]:
    """Yield where the second and the third of three numbers begin; each of one or two words."""
    for first in (1, 2):
        for second in (first + 1, first + 2):
            if second < count:
                yield first, second


def _with_ordinals(fields: Sequence[Field]) -> list[Field]:
    """Join ``twenty-first``, which was cut at its hyphen or blank."""
    done: list[Field] = []
    for item in fields:
        tens = done[-2:]
        if item.slot is Slot.DAY_WORD and len(tens) == 2 and tens[0].slot is Slot.SPELLED:  # noqa: PLR2004
            whole = "".join(part.text for part in (*tens, item))
            day = ORDINAL_OF.get(whole.casefold().replace(" ", "-"))
            if day is not None:
                done[-2:] = [Field(Slot.DAY_WORD, whole, day)]
                continue
        done.append(item)
    return done


_OF_THE = re.compile(r"(?i)\s+of(?:\s+the)?\s+")


def _with_counted_month(fields: list[Field]) -> list[Field]:
    """Read ``second of the fifth`` as a day and a month, the second of two ordinal numbers."""
    ordinals = [
        place
        for place, item in enumerate(fields)
        if item.slot is Slot.DAY_WORD
        or (item.slot is Slot.NUMBER and _slot_at(fields, place + 1) is Slot.SUFFIX)
    ]
    if len(ordinals) != 2:  # noqa: PLR2004
        return fields
    day, month = ordinals
    start = day + 1 + (fields[day].slot is Slot.NUMBER)
    if not _OF_THE.fullmatch("".join(item.text for item in fields[start:month])):
        return fields
    done = list(fields)
    if done[day].slot is Slot.NUMBER:
        done[day] = replace(done[day], slot=Slot.DAY)
    done[month] = replace(done[month], slot=Slot.MONTH)
    return done


def _slot_at(fields: Sequence[Field], place: int) -> Slot | None:
    return fields[place].slot if place < len(fields) else None


def _with_quarter(fields: list[Field]) -> list[Field] | None:
    """Let ``Q`` and ``quarter`` say what the number beside them is; ``None`` without one."""
    words = [place for place, item in enumerate(fields) if item.slot is Slot.QUARTER_WORD]
    if not words:
        return fields
    near = [place for place in _beside(fields, words[0]) if fields[place].slot in _COUNTS]
    quarters = [place for place in near if 1 <= fields[place].value <= 4]  # noqa: PLR2004
    if len(words) > 1 or not quarters:
        return None
    done = list(fields)
    item = done[quarters[0]]
    done[quarters[0]] = replace(item, slot=Slot.QUARTER, form=int(item.slot is Slot.DAY_WORD))
    return done


def _beside(fields: Sequence[Field], place: int) -> list[int]:
    """Places right after and before a word, blanks and ordinal suffixes passed over."""
    found: list[int] = []
    for step in (1, -1):
        at = place + step
        while 0 <= at < len(fields) and _is_passed(fields[at]):
            at += step
        if 0 <= at < len(fields):
            found.append(at)
    return found


def _is_passed(item: Field) -> bool:
    return item.slot is Slot.SUFFIX or (item.slot is Slot.TEXT and not item.text.strip())


def _with_years(fields: list[Field]) -> list[Field] | None:
    """Join the words of a spelled year; ``None`` if they spell none."""
    spelled = [place for place, item in enumerate(fields) if item.slot is Slot.SPELLED]
    if not spelled:
        return fields
    first, after = spelled[0], spelled[-1] + 1
    inside = fields[first:after]
    words = [item.text.casefold() for item in inside if item.slot is Slot.SPELLED]
    if any(item.slot is not Slot.SPELLED and item.text.strip(" -") for item in inside):
        return None
    year = spelled_year(words)
    if year is None and _names_day(fields):
        year = spelled_short_year(words)
    if year is None:
        return None
    text = "".join(item.text for item in inside)
    return [*fields[:first], Field(Slot.YEAR, text, year), *fields[after:]]


def _names_day(fields: Sequence[Field]) -> bool:
    """Return whether a date has a month and a day, so that what else it has is a year."""
    slots = {item.slot for item in fields}
    named = Slot.MONTH_WORD in slots and not slots.isdisjoint(_COUNTS)
    return named or Slot.MONTH in slots
