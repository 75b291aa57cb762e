"""Join the fields that only together say a day, a quarter or a year."""

from dataclasses import replace

from deidstream.models.phi.dates.calendar import ORDINAL_OF
from deidstream.models.phi.dates.fields import Field, Slot
from deidstream.models.phi.dates.spelled_years import spelled_year

_COUNTS = frozenset({Slot.NUMBER, Slot.DAY_WORD})


def joined(fields: list[Field]) -> list[Field] | None:
    """Join ``twenty-first``, ``Q3`` and spelled years; ``None`` if a word is left over."""
    found = _with_quarter(_with_ordinals(fields))
    found = None if found is None else _with_years(found)
    if found is None or any(item.slot is Slot.SPELLED for item in found):
        return None
    return found


def _with_ordinals(fields: list[Field]) -> list[Field]:
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


def _beside(fields: list[Field], place: int) -> list[int]:
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
    if year is None:
        return None
    text = "".join(item.text for item in inside)
    return [*fields[:first], Field(Slot.YEAR, text, year), *fields[after:]]
