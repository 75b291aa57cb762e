"""Find the identity of a name token by the token alone, so that all notes agree.

Jon, Jonny and Jonathon are Jonathan; Ivanova is Ivanov; Smtih is Smith; Munoz is Mu\u00f1oz.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from deidstream.models.mention import Identity, NameUse
from deidstream.models.phi.names.guess_people import guess_people
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    SHORT_NAMED,
    births,
    census,
    family_people,
    gender,
    is_given,
    names_of_either,
    peoples,
)
from deidstream.models.phi.names.spellings import (
    SHORTEST,
    ListedNames,
    find_nearest,
    nicknames,
    reduce_to_consonants,
    to_plain_letters,
    to_singular,
)
from deidstream.models.text.word_files import split_list

GIVEN, FAMILY = "name.given", "name.family"
_LONG = 7
"""Letters of a name too long to be another rare one by chance."""
_SLIP_TIMES = 20
"""A rare name counts as a misspelling of a name that is so many times as common."""
_SURNAME_TIMES = 5
"""A nickname that is a surname so many times as often is a surname."""
_RARE_PERCENT, _COMMON_PERCENT = 0.002, 0.1
_SURE_PERCENT = 0.01
"""How common a surname is at least that is hardly anybody's given name, in percent."""
_FREQUENT_SURNAME_PERCENT = 0.005
"""How common a surname is at least that a given name may be in its place, in percent."""
_RATHER_PERCENT = 0.01
"""How common a surname is that is rather a surname where it stands alone, in percent."""
_ENDING, _SURELY, _FEWEST = 3, 0.9, 20
"""Letters of the longest ending that tells the sex of a given name, and how surely it does: in such
a share of so many listed names."""
_SHORTEST_WOMAN = 6
_WOMEN = {"ova": "ov", "eva": "ev", "skaya": "sky", "ska": "ski"}
_MARRIED = split_list("ov ev in")


@dataclass(frozen=True, slots=True)
class NameKey:
    """What the value of the identity of a name says."""

    name: str = field(repr=False)
    """The name, or the initial and the consonants of one that is on no list."""
    people: str = ""
    """People of a name that is on no list."""
    sex: str = ""
    """``f``, ``m`` or ``n`` of a given name whose sex the lists leave open."""


def read_key(value: str) -> NameKey:
    """Read the value of the identity of a name.

    >>> read_key("tvt english/m").people, read_key("jonathan").people
    ('english', '')
    """
    head, _, sex = value.partition("/")
    name, _, people = head.partition(" ")
    return NameKey(name, people, sex)


def identify_name(value: str, use: NameUse | None = None) -> Identity:
    """Return the identity of a name token.

    Args:
        value: Normal form of the token.
        use: How its note uses it; counts for a name that the lists leave open alone.
    """
    name = to_plain_letters(value)
    if not name:
        return Identity(FAMILY, value)
    listed = _find_listed_name(name)
    people = use.people if use and may_be_foreign(name) else ""
    given = use is not None and use.given and is_open(name) and not is_of_both(name)
    if not given:
        if not listed:
            return Identity(FAMILY, _reduce(name, people))
        own = _identify_listed_name(listed)
        if use is not None and not use.given and is_of_both(name):
            return Identity(FAMILY, name)
        told_sex = use.sex if use and own.kind == GIVEN else ""
        if told_sex and (told_sex != gender_of(own.value) or own.value in names_of_either()):
            # Angel is no Angela if the note says that he is a man, and Mr Casey no woman.
            return Identity(GIVEN, f"{listed}/{told_sex}")
        # Rafa is of the people of Rafael, and he of any.
        told = not people or own.value in peoples().family or not may_be_foreign(own.value)
        return own if told else replace(own, value=f"{own.value} {people}")
    sex = use.sex if use else ""
    sure = gender_of(name) != "n"
    if listed:
        called = nicknames().heads.get(name, name)
        key = f"{name} {people}" if people else called
    else:
        key = f"{reduce_to_consonants(name) or name} {people or guess_people(name)}"
    return Identity(GIVEN, key if sure and not sex else f"{key}/{sex or guess_sex(name)}")


def may_be_foreign(name: str) -> bool:
    """Return whether a name in plain letters may be of any people.

    It is a syllable, as ``Wei``, or it is rare and the given name of none.
    """
    rare = share_of(name) <= _RARE_PERCENT and name not in peoples().given
    return rare or peoples().family.get(name) in SHORT_NAMED


def is_open(name: str) -> bool:
    """Return whether the lists leave open if a name in plain letters is given name or surname.

    It is on none, or a rare surname, or a surname that some have as a given name, or the other way
    round.
    """
    if not is_listed(name) or is_of_both(name):
        return True
    if _identify_listed_name(_find_listed_name(name)).kind == GIVEN or is_plural(name):
        return False
    lists = census()
    if name in lists.female or name in lists.male:
        return True
    given = name in peoples().given or name in lists.other_given or name in births()
    return lists.family.get(name, 0.0) < (_COMMON_PERCENT if given else _SURE_PERCENT)


def is_of_both(name: str) -> bool:
    """Return whether a name that is rather a given one is a frequent surname too: ``Lewis``."""
    frequent = census().family.get(name, 0.0) >= _FREQUENT_SURNAME_PERCENT
    return frequent and _identify_listed_name(name).kind == GIVEN


def is_rather_given(name: str) -> bool:
    """Return whether a name that the lists leave open, alone, is rather a given name.

    Relatives are mostly called by given names. What is formed like a surname, or is only listed as
    one, is one.
    """
    if not is_listed(name):
        return family_people(name) == ENGLISH
    lists = census()
    if is_of_both(name):
        return True
    registers = (lists.female, lists.male, lists.other_given, births())
    given = any(name in register for register in registers)
    return given and lists.family.get(name, 0.0) < _RATHER_PERCENT


def is_listed(name: str) -> bool:
    """Return whether a name in plain letters, or one that it is a slip of, is on a list."""
    return bool(_find_listed_name(name))


def _find_listed_name(name: str) -> str:
    """Return the listed name that a name is, or is the plural or a misspelling of; else nothing."""
    share = share_of(name)
    if is_plural(name):
        return to_singular(name, _surnames())
    if share < _RARE_PERCENT:
        near = find_nearest(name, _meant_names(), max(_least_share(name), _SLIP_TIMES * share))
        if near:
            return near
    return name if share or name in births() else ""


def _least_share(name: str) -> float:
    """Return how common a name must be for ``name`` to be a misspelling of it.

    The shorter ``name`` is, the more common.
    """
    if len(name) < SHORTEST:
        return _COMMON_PERCENT
    return _RARE_PERCENT if len(name) >= _LONG else 2 * _RARE_PERCENT


def _identify_listed_name(name: str) -> Identity:
    head = nicknames().heads.get(name, "")
    if head and not is_read_as_surname(name):
        return Identity(GIVEN, head)
    if is_read_as_given(name):
        return Identity(GIVEN, name)
    return Identity(FAMILY, to_masculine(name))


def _reduce(name: str, people: str) -> str:
    # The people is read from the order of the letters, which the consonants lose.
    stem, people = to_masculine(name), people or family_people(name)
    root = reduce_to_consonants(stem)
    return f"{root} {people}" if root else stem


def is_read_as_surname(name: str) -> bool:
    """Return whether a name in plain letters is a surname so many times as often as a given one."""
    lists = census()
    given = max(lists.female.get(name, 0.0), lists.male.get(name, 0.0))
    return lists.family.get(name, 0.0) > _SURNAME_TIMES * max(given, _RARE_PERCENT)


def is_read_as_given(name: str) -> bool:
    """Return whether a name in plain letters is a given name rather than a surname."""
    lists = peoples()
    if lists.family.get(name) in SHORT_NAMED:
        return False
    if is_given(name) or name in births():
        return True
    rare = census().family.get(name, 0.0) < _RARE_PERCENT
    return name in lists.given and name not in lists.family and rare


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """Return how common each listed name is, in percent of the population."""
    lists, others = census(), peoples()
    found = dict.fromkeys((*others.given, *others.family, *nicknames().heads), _RARE_PERCENT)
    found |= {to_plain_letters(name): _RARE_PERCENT for name in lists.other_given}
    for ranked in (lists.female, lists.male, lists.family):
        found |= {n: share for n, share in ranked.items() if share > found.get(n, -1.0)}
    return found


@lru_cache(maxsize=1)
def _meant_names() -> ListedNames:
    """Return the names that are common enough for another one to be a misspelling of them."""
    common = {name: share for name, share in _weights().items() if share >= _RARE_PERCENT}
    return ListedNames.of_shares(common)


def is_plural(name: str) -> bool:
    """Return whether a name is the plural of a surname, in plain letters: ``the Smiths``."""
    if not to_singular(name, _surnames()):  # mostly
        return False
    given = name in nicknames().heads or is_given(name) or name in births()
    return not (given or name in peoples().family)


@lru_cache(maxsize=1)
def _surnames() -> Mapping[str, float]:
    """Return how common each listed surname is, in percent."""
    return {**dict.fromkeys(peoples().family, 0.0), **census().family}


def share_of(name: str) -> float:
    """Return how common a name in plain letters is, in percent; 0 if it is on no list."""
    return _weights().get(name, 0.0)


def gender_of(name: str) -> str:
    """Return the gender of a given name in plain letters: ``f``, ``m`` or ``n`` for either."""
    listed = nicknames().gender.get(name) or peoples().gender.get(name) or gender(name)
    return births().get(name, "n") if listed == "n" else listed


def guess_sex(name: str) -> str:
    """Return the sex of most listed given names that end so: ``f``, ``m``, or ``n`` for neither.

    >>> guess_sex("nomvula"), guess_sex("wiremu")
    ('f', 'n')
    """
    for length in range(_ENDING, 0, -1):
        women, men = _endings().get(name[-length:], (0, 0))
        if women + men >= _FEWEST:
            surely = max(women, men) >= _SURELY * (women + men)
            return ("f" if women > men else "m") if surely else "n"
    return "n"


@lru_cache(maxsize=1)
def _endings() -> Mapping[str, tuple[int, int]]:
    """Return how many listed given names of women and of men have an ending."""
    lists, counts = census(), (Counter[str](), Counter[str]())
    for name in {*lists.female, *lists.male, *lists.other_given, *births(), *peoples().given}:
        sex = gender_of(name)
        if sex != "n":
            endings = (name[-length:] for length in range(1, _ENDING + 1))
            counts["fm".index(sex)].update(endings)
    return {end: (counts[0][end], counts[1][end]) for end in {*counts[0], *counts[1]}}


def to_masculine(name: str) -> str:
    """Return the masculine form of a Slavic surname; any other name as it is.

    >>> to_masculine("ivanova"), to_masculine("kowalska"), to_masculine("villanueva")
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


def to_feminine(name: str) -> str:
    """Return the feminine form of a Slavic surname; the name itself if its ending has none.

    >>> to_feminine("petrov"), to_feminine("zelinsky"), to_feminine("kovalenko")
    ('petrova', 'zelinskaya', 'kovalenko')
    """
    if name.endswith(_MARRIED):
        return name + "a"
    if name.endswith("sky"):
        return name[:-1] + "aya"
    return name[:-1] + "a" if name.endswith("ski") else name
