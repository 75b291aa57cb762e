"""Words of dates: months, weekdays, seasons, ordinals and the words between them."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from deidstream.models.text.word_files import split_list

PRESENT = 2026
"""The year of this release: a note that says nothing of when it was written counts as of it."""


@dataclass(frozen=True, slots=True)
class Names:
    """The months, from January, or the weekdays, from Monday, as one language writes them."""

    language: str
    words: tuple[str, ...]
    """In lower case, with their accents."""
    short: bool = False


_DAY_LETTERS = frozenset("mtwrfs")


def _names(language: str, words: str, *, short: bool = False) -> Names:
    return Names(language, split_list(words), short)


# A word of several rows belongs to the first, unless another word of the date shows better.
# To add a language, append a row of full names (one more for another case, as in Slavic languages)
# and a row of short ones; put short names that are English words into AMBIGUOUS_MONTHS, whole words
# among the short names into UNABBREVIATED_MONTHS, its weekdays into WEEKDAYS and the small words
# between day, month and year into BETWEEN. The first seven rows keep their places.
MONTHS: tuple[Names, ...] = (
    _names("English", "january february march april may june july august september october "
           "november december"),
    _names("English", "jan feb mar apr may jun jul aug sep oct nov dec", short=True),
    _names("English", "jan feb mar apr may jun jul aug sept oct nov dec", short=True),
    _names("Roman", "i ii iii iv v vi vii viii ix x xi xii"),
    _names("French", "janvier février mars avril mai juin juillet août septembre octobre novembre "
           "décembre"),
    _names("Spanish", "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
           "noviembre diciembre"),
    _names("German", "januar februar märz april mai juni juli august september oktober november "
           "dezember"),
    _names("Dutch", "januari februari maart april mei juni juli augustus september oktober "
           "november december"),
    _names("Italian", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre "
           "ottobre novembre dicembre"),
    _names("Portuguese", "janeiro fevereiro março abril maio junho julho agosto setembro outubro "
           "novembro dezembro"),
    _names("Malay", "januari februari mac april mei jun julai ogos september oktober november "
           "disember"),
    _names("Afrikaans", "januarie februarie maart april mei junie julie augustus september "
           "oktober november desember"),
    _names("Tagalog", "enero pebrero marso abril mayo hunyo hulyo agosto setyembre oktubre "
           "nobyembre disyembre"),
    _names("Indonesian", "januari februari maret april mei juni juli agustus september oktober "
           "november desember"),
    _names("Swahili", "januari februari machi aprili mei juni julai agosti septemba oktoba novemba "
           "desemba"),
    _names("French", "janv févr mars avr mai juin juil août sept oct nov déc", short=True),
    _names("Spanish", "ene feb mar abr may jun jul ago sep oct nov dic", short=True),
    _names("German", "jan feb mär apr mai jun jul aug sep okt nov dez", short=True),
    _names("Portuguese", "jan fev mar abr mai jun jul ago set out nov dez", short=True),
    _names("Dutch", "jan feb mrt apr mei jun jul aug sep okt nov dec", short=True),
    _names("Italian", "gen feb mar apr mag giu lug ago set ott nov dic", short=True),
    _names("Malay", "jan feb mac apr mei jun jul ogo sep okt nov dis", short=True),
    _names("Afrikaans", "jan feb mrt apr mei jun jul aug sep okt nov des", short=True),
    _names("Tagalog", "ene peb mar abr may hun hul ago set okt nob dis", short=True),
)  # fmt: skip
FULL, SHORT, SHORT_SEPT, ROMAN, FRENCH, SPANISH, GERMAN = range(7)

AMBIGUOUS_MONTHS = frozenset(
    split_list("abr ago avr des dic dis ene fev gen giu hul hun lug mag nob ogo ott out set")
)  # fmt: skip
"""Short names that are words or terms in English notes: ABR and AVR are a test and a valve, DIC is
a disorder of clotting, FEV a volume, Mag an electrolyte. Only day and year make them months."""
UNABBREVIATED_MONTHS = frozenset(split_list("may mars mai mac mei juin août aout"))
"""Short names of months that are whole words; no full stop follows them."""
MISSPELT_MONTHS: tuple[str, ...] = split_list("decmber decernber febuary setpember")
"""Frequent misspellings and misreadings, which :func:`correct_spelling` reads."""

WEEKDAYS: tuple[Names, ...] = (
    _names("English", "monday tuesday wednesday thursday friday saturday sunday"),
    _names("English", "mon tue wed thu fri sat sun", short=True),
    _names("English", "mon tues wed thurs fri sat sun", short=True),
    _names("English", "mon tues weds thur fri sat sun", short=True),
    _names("French", "lundi mardi mercredi jeudi vendredi samedi dimanche"),
    _names("Spanish", "lunes martes miércoles jueves viernes sábado domingo"),
    _names("German", "montag dienstag mittwoch donnerstag freitag samstag sonntag"),
    _names("Portuguese", "segunda terça quarta quinta sexta sábado domingo"),
    _names("Tagalog", "lunes martes miyerkules huwebes biyernes sabado linggo"),
    _names("Afrikaans", "maandag dinsdag woensdag donderdag vrydag saterdag sondag"),
    _names("Dutch", "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
    _names("Italian", "lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    _names("Malay", "isnin selasa rabu khamis jumaat sabtu ahad"),
    _names("Indonesian", "senin selasa rabu kamis jumat sabtu minggu"),
    _names("Swahili", "jumatatu jumanne jumatano alhamisi ijumaa jumamosi jumapili"),
    _names("Hindi", "somvar mangalvar budhvar guruvar shukravar shanivar ravivar"),
    _names("Tamil", "thingal chevvai budhan viyazhan velli sani nyayiru"),
    _names("English", "mon tues weds thurs fri sat sun", short=True),
    _names("English", "mo tu we th fr sa su", short=True),
    _names("German", "mo di mi do fr sa so", short=True),
)
AMBIGUOUS_WEEKDAYS = frozenset(
    split_list("ahad budhan chevvai dimanche domenica domingo freitag jumaat jumanne jumat khamis "
        "linggo lundi mardi martes minggu montag quarta quinta sabado samedi samstag sani segunda "
        "sexta sondag sonntag terça thingal velli vendredi viernes")
)  # fmt: skip
"""Weekdays that are other words or names of people, too."""

SEASONS: tuple[tuple[str, ...], ...] = (
    ("winter", "spring", "summer", "autumn"),
    ("winter", "spring", "summer", "fall"),
)
"""In the order of the year; each is centred on the 15th of January, April, July, October."""

ORDINALS: tuple[str, ...] = split_list(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first "
    "twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh "
    "twenty-eighth twenty-ninth thirtieth thirty-first"
)
DECADES = split_list("twenties thirties forties fifties sixties seventies eighties nineties")

BETWEEN = frozenset(
    split_list("of the de del du le el in on early late mid end beginning c ca circa about around "
        "week weekend from between since until this last next past coming previous every each "
        "other w e wk approx approximately den vom im hb "
        "anfang mitte ende début debut fin mi principios mediados finales uh um")
)  # fmt: skip
"""Words that dates may contain and that do not change their meaning."""


def remove_accents(text: str) -> str:
    """Write without accents, as a keyboard without them does.

    >>> remove_accents("décembre"), remove_accents("miércoles")
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
            found.setdefault(remove_accents(word), (number, place))
    return MappingProxyType(found)


MONTH_OF = MappingProxyType(
    {**_lookup(tuple(table.words for table in MONTHS)), "maerz": (GERMAN, 2)}
)
WEEKDAY_OF = _lookup(tuple(table.words for table in WEEKDAYS))
SEASON_OF = _lookup(SEASONS)
ORDINAL_OF = MappingProxyType({word: day for day, word in enumerate(ORDINALS, start=1)})
DECADE_OF = MappingProxyType({word: 1920 + 10 * i for i, word in enumerate(DECADES)})


def month_words(*languages: str) -> Iterator[str]:
    """List the names of months in some languages, long and short; in all without any.

    Roman numbers are not among them. A word of several tables comes several times.

    >>> [word for word in month_words("English") if word.startswith("s")]
    ['september', 'sep', 'sept']
    """
    for table in MONTHS:
        if table.language in (languages or {table.language} - {"Roman"}):
            yield from table.words


def weekday_words(*languages: str) -> Iterator[str]:
    """List the names of weekdays in some languages, long and short."""
    for table in WEEKDAYS:
        if table.language in languages:
            yield from table.words


def are_day_letters(word: str) -> bool:
    """Return whether a word in lower case may be the letters of weekdays: ``mwf``, ``tts``."""
    return _DAY_LETTERS.issuperset(word)


def suffix(day: int) -> str:
    """English ordinal suffix of a day.

    >>> [suffix(day) for day in (1, 2, 3, 11, 22)]
    ['st', 'nd', 'rd', 'th', 'nd']
    """
    if day in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


_NAMES = tuple(word for word in (*MONTHS[FULL].words, *WEEKDAYS[FULL].words) if len(word) > 5)  # noqa: PLR2004
_MIXED = MappingProxyType(
    {name[0] + "".join(sorted(name[1:])): name for name in ("march", "april")}
)
_LONGEST = 12
_SHORTEST = 5


def correct_spelling(word: str) -> str | None:
    """Find the one English month or weekday that a word in lower case differs from by one slip.

    A slip is a letter too many, too few, wrong or swapped with its neighbour; a scanner's ``rn``
    counts as ``m``. Names of five letters and fewer are too close to other words; of ``march`` and
    ``april`` the letters after the first may be in another order.

    >>> [correct_spelling(word) for word in ("febuary", "wendesday", "decernber", "remember")]
    ['february', 'wednesday', 'december', None]
    >>> [correct_spelling(word) for word in ("mrach", "apirl", "charm")]
    ['march', 'april', None]
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
    """Return whether one slip lies between two words (Damerau, CACM 7(3):171, 1964)."""
    head = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), None)
    if head is None:
        return abs(len(word) - len(name)) == 1
    ours, theirs = word[head:], name[head:]
    swapped = ours[:2] == theirs[1::-1] and ours[2:] == theirs[2:]
    return swapped or theirs[1:] in {ours, ours[1:]} or theirs == ours[1:]
