"""Recognise the spellings of one name: accents, short forms, plurals and typing errors.

A name that is on no list, one typing error away from a name of the lists, counts as that name. Two
names that are on no list count as one if they have the same consonants.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.phi.names.initials import ALPHABET, STEMS
from deidstream.models.text.word_files import lines

_APOSTROPHES = frozenset("'\u2019\u02bc`\u02bb\u2018")

_FONDLE = ("y", "ie", "i")
_WIDEST = 2

_LEAST_PERCENT = 0.004
"""How common a name must be to be read from its plural, if that is a name too."""
_TIMES = 50
"""A surname must be so many times as common as its plural to be read from it."""
_HISSING = ("s", "x", "z", "ch", "sh")
_SHORTEST_STEM = 3

SHORTEST, LONGEST = 5, 20
"""Letters of a name that may be misspelt; in one of ``_SWAPPED`` two may be swapped."""
_SWAPPED = 4
_ROOMY = 7
"""Letters from which any typing error counts; in a shorter name only swapped or doubled letters."""
_MARKS = 1 << 21
"""Ten times as many as the frequent names have inner letters: few are marked by chance."""
_VOWELS = frozenset("aeiouyhw")
_FEWEST, _FEWEST_OF_LONG = 3, 2
"""Consonants after the initial that distinguish names; fewer in a name of ``_ROOMY`` letters."""


def to_plain_letters(name: str) -> str:
    """Return the plain letters ``a`` to ``z`` of a name; empty if it has any other.

    >>> to_plain_letters("O'Brien"), to_plain_letters("Mu\u00f1oz"), to_plain_letters("\u738b")
    ('obrien', 'munoz', '')
    >>> to_plain_letters("\u00d8verg\u00e5rd")
    'overgard'
    """
    if name.isascii():
        plain = name.lower().replace("'", "").replace("`", "")
        return plain if plain.isalpha() else ""
    folded = unicodedata.normalize("NFKD", name).casefold().translate(STEMS)
    kept = "".join(c for c in folded if not unicodedata.combining(c) and c not in _APOSTROPHES)
    return kept if kept.isascii() and kept.isalpha() else ""


@dataclass(frozen=True, slots=True)
class Nicknames:
    """The groups; every form, in plain letters, is in one group at most."""

    heads: Mapping[str, str]
    """The name that represents its group, by form."""
    gender: Mapping[str, str]
    """``f`` or ``m``, by form."""
    forms: Mapping[str, tuple[str, ...]]
    """All forms of a group, by the name that represents it."""


@lru_cache(maxsize=1)
def nicknames() -> Nicknames:
    """Read the groups once."""
    heads: dict[str, str] = {}
    gender: dict[str, str] = {}
    groups: dict[str, tuple[str, ...]] = {}
    heading = ""
    for line in lines("names.nicknames.txt"):
        if line.startswith("["):
            heading = line.strip("[]")
            continue
        forms = tuple(line.split())
        groups[forms[0]] = forms
        heads |= dict.fromkeys(forms, forms[0])
        gender |= dict.fromkeys(forms, heading)
    return Nicknames(MappingProxyType(heads), MappingProxyType(gender), MappingProxyType(groups))


def is_short(form: str, head: str) -> bool:
    """Return whether ``form`` is a short form or pet name, and not a mere spelling, of ``head``.

    >>> is_short("jon", "jonathan"), is_short("jonathon", "jonathan"), is_short("peggy", "margaret")
    (True, False, True)
    """
    if form == head:
        return False
    fondled = form.endswith(_FONDLE) and not head.endswith(_FONDLE)
    different = form[0] != head[0] or abs(len(form) - len(head)) > _WIDEST
    shared = (Counter(form) & Counter(head)).total()
    return fondled or different or shared < min(len(form), len(head)) - 1


def to_singular(name: str, shares: Mapping[str, float]) -> str:
    """Return the name of which ``name`` is the plural; empty if it is no plural.

    Args:
        name: Plain letters.
        shares: How common each surname is, in percent.

    >>> shares = {"smith": 1.0, "jones": 0.6, "adams": 0.2, "adam": 0.3}
    >>> to_singular("smiths", shares), to_singular("joneses", shares), to_singular("adams", shares)
    ('smith', 'jones', '')
    """
    if not name.endswith("s"):
        return ""
    stems = (name[:-1], name[:-2] if name.endswith("es") else "")
    least = max(_LEAST_PERCENT, _TIMES * shares[name]) if name in shares else 0.0
    for stem in stems:
        formed = len(stem) >= _SHORTEST_STEM and to_plural(stem) == name
        if formed and shares.get(stem, -1.0) >= least:
            return stem
    return ""


def to_plural(name: str) -> str:
    """Write the plural of a name.

    >>> to_plural("Smith"), to_plural("Jones")
    ('Smiths', 'Joneses')
    """
    return name + ("es" if name.casefold().endswith(_HISSING) else "s")


@dataclass(frozen=True, slots=True)
class ListedNames:
    """Names with how common each is, made ready for the search for typing errors."""

    shares: Mapping[str, float]
    _marks: bytes = field(repr=False)
    """By hash, whether a text is a name less one of its inner letters, or is so by chance."""

    @classmethod
    def of_shares(cls, shares: Mapping[str, float]) -> "ListedNames":
        """Mark what the names are without each of their inner letters."""
        marks = bytearray(_MARKS)
        for name in shares:
            if len(name) >= _ROOMY:
                for i in range(1, len(name) - 1):
                    marks[hash(name[:i] + name[i + 1 :]) % _MARKS] = 1
        return cls(shares, bytes(marks))

    def may_lack_letter(self, text: str) -> bool:
        """Return whether a name may be ``text`` with one letter more; if not, none is."""
        return self._marks[hash(text) % _MARKS] == 1


def find_nearest(name: str, listed: ListedNames, least: float) -> str:
    """Return the most common listed name one typing error away, or an empty text.

    The first letter is taken as correct, and the last one too: it distinguishes Roberto from
    Roberta.

    Args:
        name: Plain letters.
        listed: The names that it may be.
        least: How common a name must be to count.
    """
    if not _SWAPPED <= len(name) <= LONGEST:
        return ""
    shares = listed.shares
    near = _one_slip_away(name, listed) & shares.keys()
    meant = [(-shares[one], one) for one in near if shares[one] >= least and one != name]
    return min(meant)[1] if meant else ""


def _one_slip_away(name: str, listed: ListedNames) -> set[str]:
    """Return the texts one typing error away, all listed ones among them."""
    last = len(name) - 1
    found = {name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in range(1, last)}
    if len(name) == _SWAPPED:
        return found
    for i in range(1, last + 1):
        found.add(name[:i] + name[i] + name[i:])
        if name[i] == name[i - 1]:
            found.add(name[:i] + name[i + 1 :])
    return found | _one_letter_off(name, listed) if len(name) >= _ROOMY else found


def _one_letter_off(name: str, listed: ListedNames) -> set[str]:
    """Return the texts with a letter less, and the listed ones with another letter or one more."""
    found: set[str] = set()
    for i in range(1, len(name) - 1):
        head, tail = name[:i], name[i + 1 :]
        found.add(head + tail)
        if listed.may_lack_letter(head + tail):
            found.update([head + letter + tail for letter in ALPHABET])
    if listed.may_lack_letter(name):
        for i in range(1, len(name)):
            head, tail = name[:i], name[i:]
            found.update([head + letter + tail for letter in ALPHABET])
    return found


def reduce_to_consonants(name: str) -> str:
    """Return the initial and the other consonants in alphabetical order, each once.

    Swapped and doubled letters and wrong vowels leave them as they are. Empty where they are too
    few to distinguish names.

    >>> [reduce_to_consonants(name) for name in ("achterberg", "achtrebrg", "shachar", "aoki")]
    ['abcgrt', 'abcgrt', 'scr', '']
    """
    rest = sorted(set(name[1:]) - _VOWELS)
    fewest = _FEWEST_OF_LONG if len(name) >= _ROOMY else _FEWEST
    return name[0] + "".join(rest) if len(rest) >= fewest else ""
