"""The lists that fillers draw from, and the pen: randomness and memory for one note.

Lists are read once; Faker is not called while notes are written.
"""

import random
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.names.write_name import write_listed_name
from deidstream.models.text.titles import BEFORE_SURNAME
from deidstream.models.text.word_files import read_data, split_list
from deidstream.schemas.label import PhiLabel
from deidstream.study.lists.make_cities import read_cities

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CODES: Mapping[str, str] = {
    "#": "0123456789",
    "%": "123456789",
    "?": ALPHABET,
    "_": ALPHABET.lower(),
    "^": "0123456789abcdef",
    "*": "0123456789ABCDEFGHJKLMNPRSTUVWXYZ",
}

Words = dict[str, tuple[str, ...]]
"""Options by symbol; an option may hold ``{symbol}``, ``{one|other}`` or ``{=###-??}``."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Given names and surnames of one people, in Latin letters."""

    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """A state and cities in it."""

    code: str
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """All lists of the fillers."""

    words: Mapping[str, tuple[str, ...]] = field(repr=False)
    common: tuple[Origin, ...] = field(repr=False)
    """Names of American registers, frequent, rare, and those that are ordinary words."""
    origins: tuple[Origin, ...] = field(repr=False)
    homes: tuple[Home, ...] = field(repr=False)


def read_data_lines(file: str) -> list[str]:
    """Read a data file of this package, comments left out."""
    return [
        line
        for line in read_data(file, "deidstream.study.corpus").splitlines()
        if not line.startswith("#")
    ]


def read_symbols(file: str) -> Words:
    """Read symbols and their options: ``symbol: one | other`` a line, some on several lines."""
    found: Words = {}
    for line in read_data_lines(file):
        symbol, options = line.split(": ", 1)
        found[symbol] = found.get(symbol, ()) + tuple(options.split(" | "))
    return found


@dataclass(frozen=True, slots=True)
class Site:
    """A place of a note where a value is wanted."""

    label: PhiLabel
    text: str = field(repr=False)
    """The present text of the place, without line breaks."""
    before: str = field(repr=False, default="")
    """Some of the text before it."""
    after: str = field(repr=False, default="")
    day_first: bool = False
    """Numeric dates of the note are day before month."""

    @property
    def touches_letter(self) -> bool:
        """Whether a letter or digit is right before or after it."""
        return self.before[-1:].isalnum() or self.after[:1].isalnum()

    @property
    def is_in_sentence(self) -> bool:
        """Whether it is inside a sentence or after a title."""
        word = (self.before.split()[-1:] or [""])[0]
        return word.casefold().removesuffix(".") in BEFORE_SURNAME or (
            self.before[-1:] == " " and word[:1].islower()
        )


@cache
def _parts(template: str) -> tuple[str, ...]:
    """Cut a template: literals at even places, symbols at odd ones."""
    cut = template.replace("}", "{").split("{")
    return tuple(cut)


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes values for one note; remembers the replacement of each original."""

    rng: random.Random
    lists: Lists = field(repr=False)
    memory: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])

    def chance(self, share: float) -> bool:
        """Return true in that share of cases."""
        return self.rng.random() < share

    def pick(self, options: Sequence[str]) -> str:
        """Draw one of the options."""
        return options[int(self.rng.random() * len(options))]

    def draw_origin(self) -> Origin:
        """Draw a people, American registers in two fifths of cases."""
        options = self.lists.common if self.chance(0.4) else self.lists.origins
        return options[int(self.rng.random() * len(options))]

    def draw_given_name(self) -> str:
        """Draw a given name of any origin."""
        return self.pick(self.draw_origin().given)

    def draw_surname(self) -> str:
        """Draw a surname of any origin."""
        return self.pick(self.draw_origin().family)

    def write(self, symbol: str) -> str:
        """Draw an option of a symbol and fill it."""
        return self.fill(self.pick(self.lists.words[symbol]))

    def fill(self, template: str) -> str:
        """Fill a template.

        >>> Pen(random.Random(1), Lists({}, (), (), ())).fill("MRN-{=##}")
        'MRN-18'
        """
        if "{" not in template:
            return template
        parts = _parts(template)
        return "".join(self._slot(part) if i % 2 else part for i, part in enumerate(parts))

    def _slot(self, slot: str) -> str:
        if slot[0] == "=":
            return self.code(slot[1:])
        symbol = self.pick(slot.split("|")) if "|" in slot else slot
        if symbol == "given":
            return self.draw_given_name()
        return self.draw_surname() if symbol == "family" else self.write(symbol)

    def code(self, pattern: str) -> str:
        """Write a pattern: ``#`` digit, ``%`` digit but 0, ``?`` ``_`` letters, ``^`` hexadecimal,
        ``*`` letter or digit; the rest as it is.
        """  # noqa: D205
        return "".join(self.pick(_CODES[c]) if c in _CODES else c for c in pattern)

    def recall(self, kind: str, original: str, draw: Callable[[], str]) -> str:
        """Return the replacement of an original; it is drawn the first time."""
        key = (kind, original)
        if key not in self.memory:
            self.memory[key] = draw()
        return self.memory[key]

    def number(self, kind: str, low: int, high: int) -> int:
        """Return the note's own number of a kind, drawn the first time, ends included."""
        if kind not in self.numbers:
            self.numbers[kind] = self.rng.randint(low, high)
        return self.numbers[kind]


_LOCALES = split_list(
    "az_AZ bg_BG cs_CZ da_DK de_AT de_CH de_DE de_LU el_GR en en_GB en_IE en_IN en_KE en_NG en_NZ "
    "en_PK en_TH es_AR es_CL es_CO es_ES es_MX et_EE fi_FI fr_BE fr_CA fr_CH fr_DZ fr_FR ga_IE "
    "ha_NG hr_HR hu_HU hy_AM id_ID ig_NG is_IS it_IT ja_JP ka_GE lt_LT lv_LV mk_MK nl_BE nl_NL "
    "no_NO pl_PL pt_BR pt_PT ro_RO ru_RU sk_SK sl_SI sv_SE sw tr_TR tw_GH uk_UA uz_UZ yo_NG zh_CN "
    "zh_TW zu_ZA"
)
_GIVEN = ("first_names", "first_romanized")
_FAMILY = ("last_names", "last_romanized", "male_last", "unisex_last")


def _map_sounds(letters: str, sounds: str) -> dict[int, str]:
    return {ord(letter): sound for letter, sound in zip(letters, sounds.split(), strict=True)}


# Plain romanisation as in passports; soft and hard signs are dropped.
_ROMAN = (
    _map_sounds("абвгдеёжзийклмнопрстуфхцчшщыэюяіїєґјљњѓќџѕ",
        "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch y e yu ya i yi ye g j lj "
        "nj gj kj dzh dz")
    | _map_sounds("αβγδεζηθικλμνξοπρσςτυφχψω",
        "a v g d e z i th i k l m n x o p r s s t y f ch ps o")
    | _map_sounds("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
        "a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h")
    | _map_sounds("աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
        "a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p k o f ev")
    | dict.fromkeys(map(ord, "ъь'’"), "")  # noqa: RUF001
)  # fmt: skip


def romanise(name: str) -> str:
    """Write a name of Cyrillic, Greek, Georgian or Armenian letters in Latin ones.

    >>> romanise("Щербаков"), romanise("Παπαδόπουλος"), romanise("Kovács")
    ('Shcherbakov', 'Papadopoulos', 'Kovács')
    """
    if any(c.isascii() and c.isalpha() for c in name):
        return name
    bare = "".join(c for c in unicodedata.normalize("NFD", name.lower()) if c != "\u0301")
    plain = unicodedata.normalize("NFC", bare).replace("ου", "ou").replace("ու", "u")  # noqa: RUF001
    return plain.translate(_ROMAN).capitalize()


def _is_latin(name: str) -> bool:
    return all(unicodedata.name(c, "").startswith("LATIN") for c in name if c.isalpha())


def read_provider_words(kind: str, locale: str, starts: tuple[str, ...]) -> tuple[str, ...]:
    """Collect the words of the lists of a Faker provider, sorted.

    Args:
        kind: Kind of provider, such as ``person``.
        locale: Such as ``de_DE``.
        starts: How the names of the lists begin.
    """
    provider: object = import_module(f"faker.providers.{kind}.{locale}").Provider
    found: set[str] = set()
    for attribute in dir(provider):
        value: object = getattr(provider, attribute) if attribute.startswith(starts) else ()
        if isinstance(value, Iterable) and not isinstance(value, str):
            found.update(word for word in value if isinstance(word, str))
    return tuple(sorted(found))


def _person_words(locale: str, starts: tuple[str, ...]) -> tuple[str, ...]:
    words = map(romanise, read_provider_words("person", locale, starts))
    cased = (word.title() if word.isupper() else word for word in words)
    return tuple(sorted({word for word in cased if len(word) > 1 and _is_latin(word)} - {"Doe"}))


def faker_origins() -> tuple[Origin, ...]:
    """Read the names of all peoples that Faker has in Latin letters or plain alphabets."""
    found = {place: Origin(_person_words(place, _GIVEN), _person_words(place, _FAMILY))
             for place in _LOCALES}  # fmt: skip
    fathers = found["is_IS"].family
    sons = tuple(father + end for father in fathers[::2] for end in ("son", "dóttir"))
    found["is_IS"] = Origin(found["is_IS"].given, sons)
    return tuple(found.values())


def census_origins() -> tuple[Origin, Origin]:
    """Read the American registers: the frequent names, and all."""
    lists = census()
    given = [write_listed_name(name) for name in (*lists.female, *lists.male) if len(name) > 1]
    family = [write_listed_name(name) for name in lists.family if len(name) > 1]
    often = [write_listed_name(n) for part in (lists.female, lists.male) for n in list(part)[:400]]
    return Origin(tuple(often), tuple(family[:2500])), Origin(tuple(given), tuple(family))


def world_cities() -> tuple[Words, tuple[Home, ...]]:
    """Read the cities of the world, and those of American states (GeoNames)."""
    world: dict[str, list[str]] = {}
    states: dict[str, list[str]] = {}
    for city in read_cities():
        name, code = city.name, city.country
        world.setdefault("city." + code if code in {"GB", "CA", "AU", "IN"} else "city.world",
                         []).append(name)  # fmt: skip
        if code == "US":
            states.setdefault(city.division, []).append(name)
    words = {symbol: tuple(sorted(set(found))) for symbol, found in world.items()}
    homes = tuple(Home(code, tuple(sorted(found))) for code, found in sorted(states.items()))
    return words, homes
