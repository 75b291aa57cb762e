"""Parse the mention of a person into parts: names, initials, digits and what may stay.

Nothing alphabetic stays but particles, suffixes, titles and credentials of the lists below; where
a mention holds nothing else, not even these.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from deidstream.models.keyring import canonical
from deidstream.models.operators.name_folds import plain
from deidstream.models.operators.name_peoples import family_people
from deidstream.models.operators.name_pools import is_known
from deidstream.models.operators.runs import Sort, glued, safe_separators, words
from deidstream.models.operators.wordlists import listed

SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
CREDENTIALS = frozenset(
    listed(
        "md rn phd lpn lvn pharmd crna mbbs dnp msw lcsw bsn msn frcs mrcp facs dds dpm rph "
        "aprn arnp fnp cnm cns pac dpt otr slp crnp lcpc lmft lmhc mph mba mpas frcp frcpc frcpath "
        "frcog mrcgp mrcs mrcog facc facog facp faap facep faan facr fasn fache bcps cde cdces rrt "
        "emt paramedic esq bds bchir mbchb bmbs dvm psyd edd scd rdn"
    )
)
_CAPITAL_CREDENTIALS = frozenset(listed("np pa do ot pt rd od dc"))
"""Credentials only in capitals, in a name that is not: Do and Pa are surnames too."""
TITLES = frozenset(
    listed(
        "dr mr mrs ms miss mx prof professor rev doctor drs sir lady dame reverend father pastor "
        "fr sister sr rabbi imam chaplain nurse sgt sergeant officer capt captain lt lieutenant "
        "col colonel cpl pvt maj auntie aunty aunt uncle grandma grandpa herr frau fräulein madame "
        "mme mlle monsieur mademoiselle signor signora signorina dott dottssa señor señora "
        "señorita senor senora senorita sra srta doña tío tía abuela datin dato datuk puan encik "
        "cik ustadh ustaz ustazah sheikh shaykh hajji haji hajja hajjah alhaji alhaja shri "
        "shrimati smt mevrouw meneer mej"
    )
)
"""Before a name only, and no word that is often a name itself."""
LINKS = frozenset(listed("née nee né geb geboren aka fka formerly vda"))
"""What stands between two names of one person."""
PARTICLES = frozenset(
    listed(
        "de der den del della di da dos das du la las los le van von vander ter ten ap arap st "
        "saint san santa bin binti bint bte ibn al el a/l a/p y e i und zu zum te mac nic mhic "
        "n\u00ed \u00f3 o' d' abu abd"
    )
)
_ARTICLES = frozenset(listed("al el ad ar as ash an at az abu"))
"""Before an Arabic name these are part of it, also with a capital and a hyphen."""
_ALSO_NAMES = frozenset(listed("van al del le la st mac te san e i y \u00f3 abu el"))
_VOWELS = frozenset(
    "aeiouy\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u00e8\u00e9\u00ea\u00eb\u00ec\u00ed\u00ee\u00ef\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u00f9\u00fa\u00fb\u00fc"
)
_ABBREVIATED = {
    "wm": "william", "edw": "edward", "chas": "charles", "thos": "thomas", "geo": "george",
    "jas": "james", "jos": "joseph", "benj": "benjamin", "robt": "robert", "ma": "maria",
}  # fmt: skip
_OCR = str.maketrans("01", "ol")
_INITIALS_LENGTH = 3
_SPELLED_LENGTH = 4
_LAST_TITLE = 6
"""Place of the last token that may still be a title, and of those that show a name's case."""


class Role(Enum):
    """What a part of a mention is."""

    SEPARATOR = auto()
    KEPT = auto()
    NAME = auto()
    INITIALS = auto()
    DIGITS = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a mention, in order; the texts joined are the mention, save dropped symbols."""

    role: Role
    text: str = field(repr=False)
    value: str = field(repr=False, default="")
    """Normal form of a name."""
    spelled: bool = False
    """Written letter by letter, ``A N N A``."""


def parse(text: str) -> list[Part]:
    """Cut a mention into parts; linear in its length.

    >>> [part.role.name for part in parse("VAN DER BERG, J.")]
    ['KEPT', 'SEPARATOR', 'KEPT', 'SEPARATOR', 'NAME', 'SEPARATOR', 'INITIALS', 'SEPARATOR']
    """
    letters = text.split(" ")
    if len(letters) >= _SPELLED_LENGTH and all(len(c) == 1 and c.isalpha() for c in letters):
        return [Part(Role.NAME, text, canonical("".join(letters)), spelled=True)]
    tokens = glued(words(text))
    parts = [part for place in range(len(tokens)) for part in _parts(tokens, place)]
    if not any(part.role in {Role.NAME, Role.INITIALS, Role.DIGITS} for part in parts):
        return [_forced(part) for part in parts]
    return parts


def _parts(tokens: list[str], place: int) -> Iterable[Part]:
    token = tokens[place]
    if not any(map(str.isalnum, token)):
        dropped = _dotless(tokens, place)
        yield Part(Role.SEPARATOR, safe_separators(token[dropped:]))
    elif _stays(tokens, place):
        yield Part(Role.KEPT, token)
    elif _abbreviates(tokens, place):
        yield Part(Role.NAME, token, _ABBREVIATED[token.casefold()])
    else:
        yield from _name(token)


def _dotless(tokens: list[str], place: int) -> int:
    return 1 if place and _abbreviates(tokens, place - 1) else 0


def _abbreviates(tokens: list[str], place: int) -> bool:
    dotted = place + 1 < len(tokens) and tokens[place + 1].startswith(".")
    return dotted and tokens[place].casefold() in _ABBREVIATED


def _stays(tokens: list[str], place: int) -> bool:
    word = canonical(tokens[place])
    first = not any(any(map(str.isalnum, token)) for token in tokens[max(place - 2, 0) : place])
    if word in SUFFIXES | CREDENTIALS or _is_capital_credential(tokens, place):
        return not first or (word in TITLES and _is_title(tokens, place))
    if word in TITLES:
        return _is_title(tokens, place)
    if word in LINKS:
        return place + 2 < len(tokens)
    return word in PARTICLES and _leads(tokens, place, first=first)


def _is_capital_credential(tokens: list[str], place: int) -> bool:
    if tokens[max(place - 2, 0) : place + 1] == ["PA", "-", "C"]:
        return True
    if canonical(tokens[place]) not in _CAPITAL_CREDENTIALS or not tokens[place].isupper():
        return False
    leading = tokens[: min(place, _LAST_TITLE)]
    return not all(token.isupper() for token in leading if len(token) > 1 and token.isalpha())


def _is_title(tokens: list[str], place: int) -> bool:
    """Tell whether a title leads the mention, or follows another, and a name follows it."""
    if place + 2 >= len(tokens) or not set(tokens[place + 1]) <= set(" .\n\t'\u2019"):
        return False
    before = (canonical(token) for token in tokens[:place] if any(map(str.isalnum, token)))
    return place <= _LAST_TITLE and all(word in TITLES for word in before)


def _leads(tokens: list[str], place: int, *, first: bool) -> bool:
    """Tell whether a particle stands before a name, and cannot be a name itself."""
    if place + 2 >= len(tokens) or not set(tokens[place + 1]) <= set(" -.\n\t"):
        return False
    word, following = tokens[place], canonical(tokens[place + 2])
    if len(following) < 2 or following in SUFFIXES:  # noqa: PLR2004
        return False
    if canonical(word) not in _ALSO_NAMES or word.islower():
        return True
    if canonical(word) in _ARTICLES and family_people(plain(following)) == "arabic":
        return True
    if tokens[place + 1] == "-":
        return False
    return following in PARTICLES or (not first and len(word) > 1) or canonical(word) == "st"


def _name(token: str) -> Iterable[Part]:
    """Take a token apart: the possessive stays, scanned digits become letters, others digits."""
    body, tail = _possessive(token)
    folded = body.translate(_OCR) if any(map(str.isalpha, body)) and len(body) > 3 else body  # noqa: PLR2004
    for run in words(folded):
        if run.sort is Sort.DIGITS:
            yield Part(Role.DIGITS, run.text)
        elif run.sort is Sort.LETTERS:
            yield _letters(run.text)
        else:
            yield Part(Role.SEPARATOR, safe_separators(run.text))
    if tail:
        yield Part(Role.SEPARATOR, tail)


def _possessive(token: str) -> tuple[str, str]:
    if len(token) > 3 and token[-1] in "sS" and token[-2] in "'\u2019":  # noqa: PLR2004
        return token[:-2], token[-2:]
    return token, ""


def _letters(text: str) -> Part:
    value = canonical(text)
    bare = not set(value) & _VOWELS
    short = value.isascii() and len(text) <= _INITIALS_LENGTH and not is_known(value)
    if len(text) == 1 or (short and (bare or not _is_called(text))):
        return Part(Role.INITIALS, text)
    if value.isascii() and bare and len(text) <= _SPELLED_LENGTH and not is_known(value):
        return Part(Role.INITIALS, text)
    return Part(Role.NAME, text, value)


def _is_called(text: str) -> bool:
    """Tell whether three letters are written as a name is, ``Roz``, and not as initials are."""
    return len(text) == _INITIALS_LENGTH and text.istitle()


def _forced(part: Part) -> Part:
    if part.role is not Role.KEPT:
        return part
    value = canonical(part.text)
    role = Role.NAME if len(value) > 2 and is_known(value) else Role.INITIALS  # noqa: PLR2004
    return replace(part, role=role, value=value)
