"""Holidays that notes name in words, and the day they fall on."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType

from deidstream.models.keyring import canonical

_Rule = Callable[[int], date]
_ADDED = frozenset({"day", "weekend", "week"})
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


def _fixed(month: int, day: int) -> _Rule:
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


# Holidays of other calendars are put on a usual day; what is written for them is a plain date.
HOLIDAYS: Mapping[str, _Rule] = MappingProxyType(
    {
        "new year": _fixed(1, 1), "new years": _fixed(1, 1), "new years eve": _fixed(12, 31),
        "epiphany": _fixed(1, 6), "mlk": _nth(1, 0, 3), "martin luther king": _nth(1, 0, 3),
        "martin luther king jr": _nth(1, 0, 3), "australia": _fixed(1, 26),
        "groundhog": _fixed(2, 2), "valentines": _fixed(2, 14), "presidents": _nth(2, 0, 3),
        "chinese new year": _fixed(2, 5), "lunar new year": _fixed(2, 5), "tet": _fixed(2, 5),
        "mardi gras": _from_easter(-47), "ash wednesday": _from_easter(-46),
        "lent": _from_easter(-30), "st patricks": _fixed(3, 17), "st davids": _fixed(3, 1),
        "mothering sunday": _from_easter(-21), "palm sunday": _from_easter(-7),
        "maundy thursday": _from_easter(-3), "holy thursday": _from_easter(-3),
        "holy week": _from_easter(-4), "good friday": _from_easter(-2),
        "holy saturday": _from_easter(-1), "easter": _from_easter(0),
        "easter sunday": _from_easter(0), "easter monday": _from_easter(1),
        "passover": _fixed(4, 12), "songkran": _fixed(4, 13), "anzac": _fixed(4, 25),
        "ascension": _from_easter(39), "whitsun": _from_easter(49), "pentecost": _from_easter(49),
        "cinco de mayo": _fixed(5, 5), "may": _fixed(5, 1), "mothers": _nth(5, 6, 2),
        "victoria": _nth(5, 0, -1), "memorial": _nth(5, 0, -1), "juneteenth": _fixed(6, 19),
        "fathers": _nth(6, 6, 3), "canada": _fixed(7, 1), "independence": _fixed(7, 4),
        "fourth of july": _fixed(7, 4), "july fourth": _fixed(7, 4), "bastille": _fixed(7, 14),
        "onam": _fixed(8, 28), "labor": _nth(9, 0, 1), "labour": _nth(9, 0, 1),
        "rosh hashanah": _fixed(9, 20), "yom kippur": _fixed(9, 29), "michaelmas": _fixed(9, 29),
        "hoshana rabbah": _fixed(10, 12), "columbus": _nth(10, 0, 2),
        "indigenous peoples": _nth(10, 0, 2), "diwali": _fixed(10, 28), "deepavali": _fixed(10, 28),
        "halloween": _fixed(10, 31), "all hallows eve": _fixed(10, 31),
        "all saints": _fixed(11, 1), "all souls": _fixed(11, 2), "guy fawkes night": _fixed(11, 5),
        "bonfire night": _fixed(11, 5), "veterans": _fixed(11, 11), "armistice": _fixed(11, 11),
        "remembrance": _fixed(11, 11), "thanksgiving": _nth(11, 3, 4),
        "black friday": _nth(11, 4, 4), "advent": _fixed(12, 5), "hanukkah": _fixed(12, 12),
        "christmas eve": _fixed(12, 24), "christmas": _fixed(12, 25), "xmas": _fixed(12, 25),
        "boxing": _fixed(12, 26), "kwanzaa": _fixed(12, 28), "ramadan": _fixed(3, 20),
        "eid": _fixed(4, 10), "eid al-fitr": _fixed(4, 10), "eid al-adha": _fixed(6, 17),
        "obon": _fixed(8, 14), "burns night": _fixed(1, 25), "waitangi": _fixed(2, 6),
        "super bowl sunday": _nth(2, 6, 2), "carnival": _from_easter(-49),
        "carnival saturday": _from_easter(-50), "carnival sunday": _from_easter(-49),
        "carnival monday": _from_easter(-48), "mardi gras sunday": _from_easter(-49),
        "fat tuesday": _from_easter(-47), "shrove tuesday": _from_easter(-47),
        "pancake": _from_easter(-47), "holi": _fixed(3, 14), "purim": _fixed(3, 14),
        "nowruz": _fixed(3, 20), "norooz": _fixed(3, 20), "panguni uthiram": _fixed(3, 25),
        "qingming": _fixed(4, 5), "vaisakhi": _fixed(4, 13), "baisakhi": _fixed(4, 13),
        "tax": _fixed(4, 15), "earth": _fixed(4, 22), "st georges": _fixed(4, 23),
        "orthodox easter": _from_easter(7), "beltane": _fixed(5, 1),
        "lá bealtaine": _fixed(5, 1), "vesak": _fixed(5, 12), "whit monday": _from_easter(50),
        "trinity sunday": _from_easter(56), "corpus christi": _from_easter(60),
        "shavuot": _fixed(6, 1), "flag": _fixed(6, 14), "midsummer": _fixed(6, 24),
        "pride": _fixed(6, 28), "feast of st peter": _fixed(6, 29),
        "crop over monday": _nth(8, 0, 1), "assumption": _fixed(8, 15),
        "patriot": _fixed(9, 11), "mid-autumn festival": _fixed(9, 21),
        "oktoberfest": _fixed(9, 22), "sukkot": _fixed(10, 3), "navratri": _fixed(10, 5),
        "dussehra": _fixed(10, 12), "samhain": _fixed(10, 31), "dia de los muertos": _fixed(11, 2),
        "día de los muertos": _fixed(11, 2),
        "melbourne cup": _nth(11, 1, 1), "cyber monday": _nth(11, 0, 4),
        "martinmas": _fixed(11, 11), "st andrews": _fixed(11, 30), "st nicholas": _fixed(12, 6),
        "hogmanay": _fixed(12, 31), "xmas eve": _fixed(12, 24), "whitsunday": _from_easter(49),
        "candlemas": _fixed(2, 2), "lammas": _fixed(8, 1), "guy fawkes": _fixed(11, 5),
        "heritage": _fixed(9, 24), "ramazan": _fixed(3, 20), "eid al adha": _fixed(6, 17),
        "eid al fitr": _fixed(4, 10), "eid ul-adha": _fixed(6, 17), "eid ul adha": _fixed(6, 17),
        "eid ul-fitr": _fixed(4, 10), "eid ul fitr": _fixed(4, 10), "hari raya": _fixed(4, 10),
        "pongal": _fixed(1, 15), "pesach": _fixed(4, 12), "chanukah": _fixed(12, 12),
        "golden week": _fixed(5, 3), "midsummer eve": _fixed(6, 23), "crop over": _nth(8, 0, 1),
        "april fools": _fixed(4, 1), "twelfth night": _fixed(1, 5),
    }
)  # fmt: skip


def holiday(text: str) -> tuple[_Rule, int | None] | None:
    """Find the holiday a mention names, and the year beside it; ``None`` if it names none."""
    words = canonical(text).translate(_DROPPED).split()
    words = [word.strip(",") for word in words if word not in {"the", "of"} or len(words) > 3]  # noqa: PLR2004
    year = int(words.pop()) if words and _is_year(words[-1]) else None
    if words[:1] == ["the"]:
        words = words[1:]
    if words == ["may"]:
        return None
    if words[-1:] == ["of"]:
        words = words[:-1]
    while len(words) > 1 and words[-1] in _ADDED and " ".join(words) not in HOLIDAYS:
        words = words[:-1]
    rule = HOLIDAYS.get(" ".join(words))
    return (rule, year) if rule else None


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdigit() and word > "1000"  # noqa: PLR2004
