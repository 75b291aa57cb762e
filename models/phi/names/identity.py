"""From a name token to its identity, by the token alone, so that all notes agree.

Jon, Jonny and Jonathon are Jonathan; Ivanova is Ivanov; Smtih is Smith; Munoz is Mu\u00f1oz.
"""

from collections.abc import Mapping
from functools import lru_cache

from deidstream.models.mention import Identity
from deidstream.models.phi.names.name_lists import (
    BRIEF,
    census,
    family_people,
    gender,
    is_given,
    peoples,
)
from deidstream.models.phi.names.spellings import (
    SHORTEST,
    consonants,
    nearest,
    nicknames,
    plain,
    singular,
)
from deidstream.models.text.word_files import listed

GIVEN, FAMILY = "name.given", "name.family"
_LONG = 7
"""Letters of a name too long to be another rare one by chance."""
_SLIP_TIMES = 20
"""What is written so many times as often is what a hardly known name was meant to be."""
_SURNAME_TIMES = 5
"""A nickname that is a surname so many times as often is a surname."""
_RARE_PERCENT, _COMMON_PERCENT = 0.002, 0.1
_SHORTEST_WOMAN = 6
_WOMEN = {"ova": "ov", "eva": "ev", "skaya": "sky", "ska": "ski"}
_MARRIED = listed("ov ev in")


def key_of(value: str) -> Identity:
    """Name the identity of a name token.

    Args:
        value: Normal form of the token.
    """
    name = plain(value)
    if not name:
        return Identity(FAMILY, value)
    share = _weights().get(name, 0.0)
    if is_plural(name):
        return _listed(singular(name, census().family))
    if share < _RARE_PERCENT:
        near = nearest(name, _weights(), max(_floor(name), _SLIP_TIMES * share))
        if near:
            return _listed(near)
    return _listed(name) if share else Identity(FAMILY, _unlisted(name))


def _floor(name: str) -> float:
    """How common a name must be to be what ``name`` was meant to be: the shorter, the more."""
    if len(name) < SHORTEST:
        return _COMMON_PERCENT
    return _RARE_PERCENT if len(name) >= _LONG else 2 * _RARE_PERCENT


def _listed(name: str) -> Identity:
    head = nicknames().heads.get(name, "")
    if head and not _is_rather_surname(name):
        return Identity(GIVEN, head)
    if _is_given(name):
        return Identity(GIVEN, name)
    return Identity(FAMILY, masculine(name))


def _unlisted(name: str) -> str:
    # What tells the people of a name would be lost with the order of its letters.
    bare, told = masculine(name), family_people(name)
    root = consonants(bare)
    return f"{root} {told}" if root else bare


def _is_rather_surname(name: str) -> bool:
    lists = census()
    given = max(lists.female.get(name, 0.0), lists.male.get(name, 0.0))
    return lists.family.get(name, 0.0) > _SURNAME_TIMES * max(given, _RARE_PERCENT)


def _is_given(name: str) -> bool:
    lists = peoples()
    if lists.family.get(name) in BRIEF:
        return False
    if is_given(name):
        return True
    rare = census().family.get(name, 0.0) < _RARE_PERCENT
    return name in lists.given and name not in lists.family and rare


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """How common each listed name is, in percent of the population."""
    lists, others = census(), peoples()
    found = dict.fromkeys((*others.given, *others.family, *nicknames().heads), _RARE_PERCENT)
    found |= {plain(name): _RARE_PERCENT for name in lists.other_given}
    for ranked in (lists.female, lists.male, lists.family):
        for name, share in ranked.items():
            found[name] = max(share, found.get(name, 0.0))
    return found


def is_plural(name: str) -> bool:
    """Return whether a name is the plural of a surname, in plain letters: ``the Smiths``."""
    lists = peoples()
    is_name = name in nicknames().heads or name in lists.family or is_given(name)
    return not is_name and bool(singular(name, census().family))


def share_of(name: str) -> float:
    """How common a name in plain letters is, in percent of the population; 0 if no list has it."""
    return _weights().get(name, 0.0)


def gender_of(name: str) -> str:
    """``f``, ``m`` or ``n`` for either: the gender of a given name in plain letters."""
    told = nicknames().gender.get(name) or peoples().gender.get(name)
    return told or gender(name)


def masculine(name: str) -> str:
    """Return a Slavic surname as men bear it; any other name as it is.

    >>> masculine("ivanova"), masculine("kowalska"), masculine("villanueva")
    ('ivanov', 'kowalski', 'villanueva')
    """
    if not is_feminine(name):
        return name
    ending = next(end for end in _WOMEN if name.endswith(end))
    return name.removesuffix(ending) + _WOMEN[ending]


def is_feminine(name: str) -> bool:
    """Return whether a name is a Slavic surname in the feminine form."""
    long = len(name) >= _SHORTEST_WOMAN and name.endswith(tuple(_WOMEN))
    return long and family_people(name) == "slavic"


def feminine(name: str) -> str:
    """Return a Slavic surname as women bear it; the name itself if that is not told by its end.

    >>> feminine("petrov"), feminine("zelinsky"), feminine("kovalenko")
    ('petrova', 'zelinskaya', 'kovalenko')
    """
    if name.endswith(_MARRIED):
        return name + "a"
    if name.endswith("sky"):
        return name[:-1] + "aya"
    return name[:-1] + "a" if name.endswith("ski") else name
