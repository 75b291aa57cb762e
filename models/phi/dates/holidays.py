"""Holidays that notes name in words, and the day they fall on."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType

from deidstream.models.keyring import canonical
from deidstream.models.phi.dates.moving_feasts import moving_feasts, orthodox_easter

_Rule = Callable[[int], date]
_ADDED = frozenset({"day", "holiday", "weekend", "wknd", "week"})
"""Words after the name of a holiday."""
_DROPPED = str.maketrans("", "", "'\u2019`.")


def easter(year: int) -> date:
    """Western Easter Sunday (Meeus, Astronomical Algorithms, chapter 8).

    >>> easter(2024).isoformat()
    '2024-03-31'
    """
    a, (b, c) = year % 19, divmod(year, 100)
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _on(month: int, day: int) -> _Rule:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, count: int) -> _Rule:
    """The ``count``-th weekday (Monday is 0) of a month; a negative count is from its end."""

    def fall(year: int) -> date:
        first = date(year, month, 1)
        day = first + timedelta((weekday - first.weekday()) % 7)
        if count > 0:
            return day + timedelta(7 * (count - 1))
        return max(day + timedelta(7 * week) for week in (3, 4) if _within(day, week))

    return fall


def _within(day: date, weeks: int) -> bool:
    return (day + timedelta(7 * weeks)).month == day.month


def _from_easter(days: int) -> _Rule:
    return lambda year: easter(year) + timedelta(days)


def _victoria(year: int) -> date:
    """The last Monday before the 25th of May."""
    last = date(year, 5, 24)
    return last - timedelta(last.weekday())


def _in(lands: str, rule: _Rule) -> dict[str, _Rule]:
    return dict.fromkeys(lands.split(), rule)


# What is written for a holiday is a plain date.
HOLIDAYS: Mapping[str, _Rule] = MappingProxyType(
    {
        "new year": _on(1, 1), "new years": _on(1, 1),
        "epiphany": _on(1, 6), "mlk": _nth(1, 0, 3), "martin luther king": _nth(1, 0, 3),
        "martin luther king jr": _nth(1, 0, 3), "australia": _on(1, 26),
        "groundhog": _on(2, 2), "valentines": _on(2, 14), "presidents": _nth(2, 0, 3),
        "mardi gras": _from_easter(-47), "ash wednesday": _from_easter(-46),
        "lent": _from_easter(-30), "st patricks": _on(3, 17), "st davids": _on(3, 1),
        "paddys": _on(3, 17), "st paddys": _on(3, 17), "patricks": _on(3, 17),
        "st brigids": _on(2, 1), "st stephens": _on(12, 26), "valentine": _on(2, 14),
        "emancipation": _on(8, 1), "sankranti": _on(1, 14), "makar sankranti": _on(1, 14),
        "jamhuri": _on(12, 12), "mashujaa": _on(10, 20), "madaraka": _on(6, 1),
        "ash weds": _from_easter(-46), "ash wed": _from_easter(-46),
        "mothering sunday": _from_easter(-21), "palm sunday": _from_easter(-7),
        "maundy thursday": _from_easter(-3), "holy thursday": _from_easter(-3),
        "holy week": _from_easter(-4), "good friday": _from_easter(-2),
        "good fri": _from_easter(-2),
        "holy saturday": _from_easter(-1), "easter": _from_easter(0),
        "easter sunday": _from_easter(0), "easter monday": _from_easter(1),
        "songkran": _on(4, 13), "anzac": _on(4, 25),
        "ascension": _from_easter(39), "whitsun": _from_easter(49), "pentecost": _from_easter(49),
        "cinco de mayo": _on(5, 5), "may": _on(5, 1), "mothers": _nth(5, 6, 2),
        "victoria": _victoria, "memorial": _nth(5, 0, -1), "juneteenth": _on(6, 19),
        "family day": _nth(2, 0, 3), "may bank holiday": _nth(5, 0, 1),
        "early may bank holiday": _nth(5, 0, 1), "late may bank holiday": _nth(5, 0, -1),
        "spring bank holiday": _nth(5, 0, -1), "august bank holiday": _nth(8, 0, -1),
        "summer bank holiday": _nth(8, 0, -1),
        "fathers": _nth(6, 6, 3), "canada": _on(7, 1), "independence": _on(7, 4),
        "fourth of july": _on(7, 4), "july fourth": _on(7, 4), "bastille": _on(7, 14),
        "labor": _nth(9, 0, 1), "labour": _nth(9, 0, 1),
        "michaelmas": _on(9, 29),
        "columbus": _nth(10, 0, 2),
        "indigenous peoples": _nth(10, 0, 2),
        "halloween": _on(10, 31), "all hallows eve": _on(10, 31),
        "all saints": _on(11, 1), "all souls": _on(11, 2), "guy fawkes night": _on(11, 5),
        "bonfire night": _on(11, 5), "veterans": _on(11, 11), "armistice": _on(11, 11),
        "remembrance": _on(11, 11), "remembrance sunday": _nth(11, 6, 2),
        "canadian thanksgiving": _nth(10, 0, 2), "thanksgiving": _nth(11, 3, 4),
        "black friday": _nth(11, 4, 4), "advent": _on(12, 5),
        "christmas": _on(12, 25), "xmas": _on(12, 25),
        "navidad": _on(12, 25), "nochebuena": _on(12, 24), "noël": _on(12, 25),
        "boxing": _on(12, 26), "kwanzaa": _on(12, 28),
        "obon": _on(8, 14), "burns night": _on(1, 25), "waitangi": _on(2, 6),
        "super bowl sunday": _nth(2, 6, 2), "carnival": _from_easter(-49),
        "carnival saturday": _from_easter(-50), "carnival sunday": _from_easter(-49),
        "carnival monday": _from_easter(-48), "mardi gras sunday": _from_easter(-49),
        "fat tuesday": _from_easter(-47), "shrove tuesday": _from_easter(-47),
        "pancake": _from_easter(-47),
        "nowruz": _on(3, 20), "norooz": _on(3, 20), "panguni uthiram": _on(3, 25),
        "qingming": _on(4, 5), "vaisakhi": _on(4, 13), "baisakhi": _on(4, 13),
        "tax": _on(4, 15), "earth": _on(4, 22), "st georges": _on(4, 23),
        "orthodox easter": orthodox_easter, "beltane": _on(5, 1),
        "lá bealtaine": _on(5, 1), "whit monday": _from_easter(50),
        "trinity sunday": _from_easter(56), "corpus christi": _from_easter(60),
        "flag": _on(6, 14), "midsummer": _on(6, 24),
        "pride": _on(6, 28), "feast of st peter": _on(6, 29),
        "crop over monday": _nth(8, 0, 1), "assumption": _on(8, 15),
        "patriot": _on(9, 11),
        "oktoberfest": _on(9, 22),
        "samhain": _on(10, 31), "dia de los muertos": _on(11, 2),
        "día de los muertos": _on(11, 2),
        "melbourne cup": _nth(11, 1, 1), "cyber monday": _nth(11, 0, 4),
        "martinmas": _on(11, 11), "st andrews": _on(11, 30), "st nicholas": _on(12, 6),
        "hogmanay": _on(12, 31), "whitsunday": _from_easter(49),
        "candlemas": _on(2, 2), "lammas": _on(8, 1), "guy fawkes": _on(11, 5),
        "heritage": _on(9, 24),
        "pongal": _on(1, 15), "thai pongal": _on(1, 15), "three kings": _on(1, 6),
        "golden week": _on(5, 3), "crop over": _nth(8, 0, 1),
        "april fools": _on(4, 1), "twelfth night": _on(1, 5),
    }
    | {name: feast.find for name, feast in moving_feasts().items()}
)  # fmt: skip


_ANYWHERE = "*"
_ABROAD: Mapping[str, Mapping[str, _Rule]] = MappingProxyType(
    {
        "thanksgiving": {"CA": _nth(10, 0, 2)},
        "mothers": _in("GB IE NG", _from_easter(-21)) | _in("FR SE", _nth(5, 6, -1))
        | _in("AE KW QA SA", _on(3, 21)) | {"NO": _nth(2, 6, 2), "TH": _on(8, 12)},
        "fathers": _in("AU FJ NZ", _nth(9, 6, 1)) | _in("NO SE", _nth(11, 6, 2))
        | {"TH": _on(12, 5)},
        "labour": _in("CA US", _nth(9, 0, 1))
        | {"AU": _nth(10, 0, 1), "NZ": _nth(10, 0, 4), "JM": _on(5, 23), "TT": _on(6, 19),
           _ANYWHERE: _on(5, 1)},
        "family day": {"ZA": _from_easter(1), "NA": _on(12, 26)},
        "august bank holiday": {"IE": _nth(8, 0, 1)},
        "independence": {
            "BD": _on(3, 26), "BW": _on(9, 30), "FJ": _on(10, 10), "GH": _on(3, 6),
            "ID": _on(8, 17), "IN": _on(8, 15), "JM": _on(8, 6), "KE": _on(12, 12),
            "LK": _on(2, 4), "MW": _on(7, 6), "NA": _on(3, 21), "NG": _on(10, 1),
            "PH": _on(6, 12), "PK": _on(8, 14), "TT": _on(8, 31), "TZ": _on(12, 9),
            "UG": _on(10, 9), "ZM": _on(10, 24), "ZW": _on(4, 18),
        },
    }
)  # fmt: skip
"""Holidays that fall on other days in some countries than in the United States, by their codes."""


_FASTS = MappingProxyType(
    {
        "ramadan": (-14, 14),
        "ramadhan": (-14, 14),
        "ramazan": (-14, 14),
        "ramzan": (-14, 14),
        "lent": (-16, 29),
    }
)
"""Days from the one that a fast of weeks counts as to its first and last ones. Ramadan has 29 or
30 days."""


def fast(text: str) -> tuple[int, int]:
    """Return how far the first and last day lie from that of a holiday; zeros if it is no fast.

    >>> fast("Ramadan 2024"), fast("Easter")
    ((-14, 14), (0, 0))
    """
    return _FASTS.get(_name_and_year(text)[0], (0, 0))


def is_fast(text: str) -> bool:
    """Return whether a mention names a fast of weeks."""
    return _name_and_year(text)[0] in _FASTS


def holiday(text: str, land: str = "") -> tuple[_Rule, int | None] | None:
    """Find the holiday a mention names, and the year beside it; ``None`` if it names none.

    Args:
        text: The mention.
        land: Code of the country in which it was written, if that is known.

    >>> [holiday("Thanksgiving", land)[0](2024).isoformat() for land in ("", "CA")]
    ['2024-11-28', '2024-10-14']
    """
    name, year = _name_and_year(text)
    rule = _find_rule(name, land) or _find_eve(name, land)
    return (rule, year) if rule else None


def _find_rule(name: str, land: str) -> _Rule | None:
    there: Mapping[str, _Rule] = _ABROAD.get(name, {}) if land else {}
    return there.get(land) or there.get(_ANYWHERE) or HOLIDAYS.get(name)


def _find_eve(name: str, land: str) -> _Rule | None:
    """Return the day before a holiday: ``thanksgiving eve``."""
    feast, _, last = name.rpartition(" ")
    while feast and feast not in HOLIDAYS and feast.rpartition(" ")[2] in _ADDED:
        feast = feast.rpartition(" ")[0]
    rule = _find_rule(feast, land) if last == "eve" else None
    return (lambda year: rule(year) - timedelta(1)) if rule else None


def _name_and_year(text: str) -> tuple[str, int | None]:
    """Return the name by which a holiday is looked up, or another text, and the year beside it."""
    words = canonical(text).translate(_DROPPED).split()
    words = [word.strip(",") for word in words if word not in {"the", "of"} or len(words) > 3]  # noqa: PLR2004
    year = int(words.pop()) if words and _is_year(words[-1]) else None
    if words[:1] == ["the"]:
        words = words[1:]
    if words == ["may"]:
        return "", None
    if words[-1:] == ["of"]:
        words = words[:-1]
    while len(words) > 1 and words[-1] in _ADDED and " ".join(words) not in HOLIDAYS:
        words = words[:-1]
    return " ".join(words), year


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdigit() and "1000" < word < "2200"  # noqa: PLR2004
