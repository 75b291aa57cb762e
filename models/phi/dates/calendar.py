"""Words of dates: months, weekdays, seasons, ordinals and what may stand between them."""

import unicodedata
from types import MappingProxyType

from deidstream.models.text.word_files import listed

MONTHS: tuple[tuple[str, ...], ...] = (
    listed("january february march april may june july august september october november "
        "december"),
    listed("jan feb mar apr may jun jul aug sep oct nov dec"),
    listed("jan feb mar apr may jun jul aug sept oct nov dec"),
    listed("i ii iii iv v vi vii viii ix x xi xii"),
    listed("janvier février mars avril mai juin juillet août septembre octobre novembre "
        "décembre"),
    listed("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre"),
    listed("januar februar märz april mai juni juli august september oktober november "
        "dezember"),
    listed("januari februari maart april mei juni juli augustus september oktober november "
          "december"),
    listed("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
        "dicembre"),
    listed("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
        "dezembro"),
    listed("januari februari mac april mei jun julai ogos september oktober november disember"),
    listed("janv févr mars avr mai juin juil août sept oct nov déc"),
    listed("ene feb mar abr may jun jul ago sep oct nov dic"),
    listed("jan feb mär apr mai jun jul aug sep okt nov dez"),
    listed("jan fev mar abr mai jun jul ago set out nov dez"),
)  # fmt: skip
FULL, SHORT, ROMAN, FRENCH, GERMAN = 0, 1, 3, 4, 6

WEEKDAYS: tuple[tuple[str, ...], ...] = (
    listed("monday tuesday wednesday thursday friday saturday sunday"),
    listed("mon tue wed thu fri sat sun"),
    listed("mon tues wed thurs fri sat sun"),
    listed("mon tues weds thur fri sat sun"),
    listed("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    listed("lunes martes miércoles jueves viernes sábado domingo"),
    listed("montag dienstag mittwoch donnerstag freitag samstag sonntag"),
    listed("segunda terça quarta quinta sexta sábado domingo"),
    listed("mon tues weds thurs fri sat sun"),
    listed("mo tu we th fr sa su"),
    listed("mo di mi do fr sa so"),
)

SEASONS: tuple[tuple[str, ...], ...] = (
    ("winter", "spring", "summer", "autumn"),
    ("winter", "spring", "summer", "fall"),
)
"""In the order of the year; each is centred on the 15th of January, April, July, October."""

ORDINALS: tuple[str, ...] = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first "
    "twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh "
    "twenty-eighth twenty-ninth thirtieth thirty-first"
)
DECADES = listed("twenties thirties forties fifties sixties seventies eighties nineties")

BETWEEN = frozenset(
    listed("of the de del du le el in on early late mid end beginning c ca circa about around "
        "week weekend from between since until this last next past coming previous every each "
        "other w e wk approx approximately den vom im hb "
        "anfang mitte ende début debut fin mi principios mediados finales")
)  # fmt: skip
"""Words that may stand in a date and say nothing of it."""


def unaccented(text: str) -> str:
    """Write without accents, as a keyboard without them does.

    >>> unaccented("décembre"), unaccented("miércoles")
    ('decembre', 'miercoles')
    """
    apart = unicodedata.normalize("NFD", text)
    return "".join(char for char in apart if not unicodedata.combining(char))


def _lookup(tables: tuple[tuple[str, ...], ...]) -> MappingProxyType[str, tuple[int, int]]:
    """By word: the table that writes it, and its place there; earlier tables win."""
    found: dict[str, tuple[int, int]] = {}
    for number, table in enumerate(tables):
        for place, word in enumerate(table):
            found.setdefault(word, (number, place))
            found.setdefault(unaccented(word), (number, place))
    return MappingProxyType(found)


MONTH_OF = MappingProxyType({**_lookup(MONTHS), "maerz": (GERMAN, 2)})
WEEKDAY_OF = _lookup(WEEKDAYS)
SEASON_OF = _lookup(SEASONS)
ORDINAL_OF = MappingProxyType({word: day for day, word in enumerate(ORDINALS, start=1)})
DECADE_OF = MappingProxyType({word: 1920 + 10 * i for i, word in enumerate(DECADES)})


def suffix(day: int) -> str:
    """English ordinal suffix of a day.

    >>> [suffix(day) for day in (1, 2, 3, 11, 22)]
    ['st', 'nd', 'rd', 'th', 'nd']
    """
    if day in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


_NAMES = tuple(word for word in (*MONTHS[0], *WEEKDAYS[0]) if len(word) > 5)  # noqa: PLR2004
_MIXED = MappingProxyType(
    {name[0] + "".join(sorted(name[1:])): name for name in ("march", "april")}
)
_LONGEST = 12
_SHORTEST = 5


def respelled(word: str) -> str | None:
    """Find the one English month or weekday that a word in lower case differs from by one slip.

    A slip is a letter too many, too few, wrong or swapped with its neighbour; a scanner's ``rn``
    counts as ``m``. Names of five letters and fewer are too close to other words; of ``march`` and
    ``april`` the letters after the first may stand in another order.

    >>> respelled("febuary"), respelled("wendesday"), respelled("decernber"), respelled("remember")
    ('february', 'wednesday', 'december', None)
    >>> respelled("mrach"), respelled("apirl"), respelled("charm")
    ('march', 'april', None)
    """
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    mixed = _MIXED.get(word[0] + "".join(sorted(word[1:])))
    if mixed:
        return mixed
    read = word.replace("rn", "m")
    found = [name for name in _NAMES if read == name or _one_slip(word, name)]
    return found[0] if len(found) == 1 else None


def _one_slip(word: str, name: str) -> bool:
    """Tell whether one slip lies between two words (Damerau, CACM 7(3):171, 1964)."""
    head = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), None)
    if head is None:
        return abs(len(word) - len(name)) == 1
    ours, theirs = word[head:], name[head:]
    swapped = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return swapped or theirs[1:] in {ours, ours[1:]} or theirs == ours[1:]
