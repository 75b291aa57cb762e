"""Write ages in every form; those of one note rise and fall together."""

from collections.abc import Sequence
from types import MappingProxyType

from deidstream.models.phi.dates.calendar import DECADES, suffix
from deidstream.models.phi.spelled_numbers import SPELLED, spell
from deidstream.models.text.runs import Run, Sort, recase, runs
from deidstream.models.text.word_files import split_list
from deidstream.study.corpus.fillers.word_lists import Pen, Site

_UNITS = MappingProxyType(
    dict.fromkeys(split_list("y yr yrs year years yo o old of age aged"), "years")
    | dict.fromkeys(split_list("m mo mos mth mths mnth month months"), "months")
    | dict.fromkeys(["w", "wk", "wks", "week", "weeks"], "weeks")
    | dict.fromkeys(["d", "day", "days"], "days")
    | dict.fromkeys(["h", "hr", "hrs", "hour", "hours"], "hours")
)
_MOST = MappingProxyType({"months": 23, "weeks": 11, "days": 27, "hours": 47})
_FRACTIONS = MappingProxyType({"12": "months", "52": "weeks", "7": "days"})
_STAGES = (0, 2, 6, 13, 18)
"""Ages at which a child becomes a toddler, a pupil, a youth and an adult."""
_ADULT, _OLDEST, _DECADE = 18, 104, 20
_LONGEST = 40
_UNIT_FORMS = ("{n} {u}s", "{n} {u}s", "{w} {u}s", "{n} {s}", "{n}{i}", "{n}/12")
_FRESH_YEARS = ("{n}",) * 12 + ("{w}", "{w}", "{W}", "{t}s", "{T}", "{o}")
_BESIDE = ("yo", "y/o", "y.o", "yr", "y ", "m ", "f ", "m,", "f,", "/", "mo", "wk")
"""Beginnings of the text that follows an age in figures only."""
_YOUNG = ("{a} y {b} m", "{a} years {b} months", "{a}y{b}m", "{a} yrs {b} mos")


def spell_american(count: int) -> str:
    """Write a count below 1,000 in words, without the British ``and``.

    >>> spell_american(56), spell_american(104)
    ('fifty-six', 'one hundred four')
    """
    return spell(count).replace(" and ", " ")


def like_age(pen: Pen, site: Site) -> str | None:
    """Write another age in the form of this one; ``None`` if it cannot be read."""
    cut = runs(site.text) if len(site.text) <= _LONGEST else []
    written: list[str] = []
    place = 0
    while place < len(cut):
        size, put = _number(pen, cut, place)
        if put is None:
            return None
        written.append(put)
        place += size
    return "".join(written) if any(run.sort is not Sort.OTHER for run in cut) else None


def _number(pen: Pen, cut: Sequence[Run], place: int) -> tuple[int, str | None]:
    """Return how many runs from ``place`` on belong together, and their replacement."""
    run = cut[place]
    if run.sort is Sort.OTHER:
        return 1, run.text
    if run.sort is Sort.DIGITS:
        return _digits(pen, cut, place)
    word = run.text.casefold()
    if word in DECADES:
        return 1, recase(pen.pick(DECADES[1:]), run.text)
    if word not in SPELLED:
        return 1, run.text if word in _UNITS else None
    joined = [r.text.casefold() for r in cut[place + 1 : place + 3]]
    both = len(joined) == 2 and joined[0] in {" ", "-"} and 0 < SPELLED.get(joined[1], 0) < 10  # noqa: PLR2004
    size = 3 if both and SPELLED[word] >= _DECADE else 1
    count = SPELLED[word] + (SPELLED[joined[1]] if size > 1 else 0)
    new = spell_american(_move_count(pen, count, _unit(cut, place + size)))
    return size, recase(new.replace("-", joined[0]) if size > 1 else new, run.text)


def _digits(pen: Pen, cut: Sequence[Run], place: int) -> tuple[int, str | None]:
    text = cut[place].text
    if not text.isascii() or len(text) > 3:  # noqa: PLR2004
        return 1, None
    after = "".join(run.text for run in cut[place + 1 : place + 3])
    if after[:1] == "/" and after[1:] in _FRACTIONS:
        return 3, f"{_move_count(pen, int(text), _FRACTIONS[after[1:]])}{after}"
    if after.casefold() == "s":
        return 2, f"{10 * pen.rng.randint(2, 9)}{after}"
    unit = _unit(cut, place + 1)
    new = (
        pen.rng.randint(1, 11) if place and unit == "months" else _move_count(pen, int(text), unit)
    )
    if after.casefold() in {"st", "nd", "rd", "th"}:
        return 2, f"{new}{recase(suffix(new % 100), after)}"
    return 1, str(new)


def _unit(cut: Sequence[Run], place: int) -> str:
    """Return the unit of the next word, across one gap; years where none is named."""
    near = [run.text.casefold() for run in cut[place : place + 2] if run.sort is Sort.LETTERS]
    return _UNITS.get(near[0], "years") if near else "years"


def _move_count(pen: Pen, count: int, unit: str) -> int:
    if unit != "years":
        return pen.rng.randint(2, max(_MOST[unit], min(count, 99)))
    if count < _ADULT:
        stage = next(n for n, start in enumerate(_STAGES[1:]) if count < start)
        return pen.rng.randint(max(1, _STAGES[stage]), _STAGES[stage + 1] - 1)
    if pen.chance(0.1):
        return pen.rng.randint(_ADULT, 99)
    return max(_ADULT, min(_OLDEST, count + pen.number("age", -12, 12)))


def reform_age(pen: Pen, site: Site) -> str | None:
    """Write another age in another form, seldom; ``None`` for an age of one form only."""
    moved = like_age(pen, site)
    named = site.after.lstrip().casefold().startswith(_BESIDE)
    if moved is None or named or pen.chance(0.6):
        return None
    if moved.isdigit():
        return spell_american(int(moved))
    head, _, unit = moved.partition(" ")
    if head.isdigit() and _UNITS.get(unit) in _MOST and len(unit) > 3:  # noqa: PLR2004
        return _with_unit(pen, int(head), _UNITS[unit])
    if moved[-1:].casefold() == "s" and moved[:-1].isdigit():
        return DECADES[int(moved[:-1]) // 10 - 2]
    counts = (
        {spell_american(n): str(n) for n in range(100)} if moved.replace("-", "").isalpha() else {}
    )
    return counts.get(moved.casefold().replace(" ", "-"))


def _with_unit(pen: Pen, count: int, unit: str) -> str:
    form = pen.pick(_UNIT_FORMS[:-1] if unit != "months" else _UNIT_FORMS)
    short = {"months": "mo", "weeks": "wk", "days": "d", "hours": "h"}[unit]
    words = {"n": str(count), "w": spell_american(count), "u": unit[:-1], "s": short, "i": unit[0]}
    return form.format_map(words)


def fresh_age(pen: Pen) -> str:
    """Write an age in any form."""
    if pen.chance(0.1):
        unit = pen.pick(tuple(_MOST))
        return _with_unit(pen, pen.rng.randint(2, _MOST[unit]), unit)
    if pen.chance(0.04):
        numbers = {"a": pen.rng.randint(1, 12), "b": pen.rng.randint(1, 11)}
        return pen.pick(_YOUNG).format_map(numbers)
    age = int(100 * pen.rng.random() ** 0.8)
    tens = max(2, age // 10)
    return pen.pick(_FRESH_YEARS).format_map(
        {"n": age, "w": spell_american(age), "W": spell_american(age).upper(), "t": 10 * tens,
         "T": DECADES[tens - 2], "o": f"{age}{suffix(age % 100)}"}
    )  # fmt: skip
