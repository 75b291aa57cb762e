"""Lists of names: how common a name is, what kind of name it is, and of what people.

A people is read from the name alone, so that all notes agree. It only describes how the name is
spelled: a person of that name may be of any people.

Sources: lists of the 1990 US census; for given names of other languages a list after Faker's
providers; for rarer ones the American registers of births; lists of this project by people.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.text.word_files import cut_groups, lines, read_data, sections, split_list

CENSUS = "names.census.txt"
"""The file of the census; ``study.lists.make_census`` makes it from its source."""
BIRTHS = "names.births.txt"
"""The file of registered given names; ``study.lists.make_births`` makes it."""
FEMALE, MALE, FAMILY = "female", "male", "family"
"""Headings of the file."""
_RARE_PERCENT, _FREQUENT_PERCENT = 0.001, 0.003
_EITHER_TIMES = 5
"""A given name is of either sex if one has it at most so many times as often as the other."""
ENGLISH = "english"
SHORT_NAMED = frozenset({"chinese", "korean", "vietnamese"})
"""Peoples of few and short surnames, which English registers count as given names too."""
_FILE = "names.peoples.txt"
AFRICAN = split_list("yoruba igbo akan nguni kenyan african")
"""Peoples of Africa south of the Sahara; the last one has the names that no list tells apart."""
NEARBY = (
    split_list("yoruba igbo african"),
    AFRICAN,
    split_list("irish welsh"),
    split_list("chinese korean vietnamese"),
    split_list("chinese japanese korean vietnamese"),
    split_list("chinese japanese korean vietnamese malay"),
    split_list("arabic turkic"),
    split_list("hispanic italian french"),
    split_list("germanic nordic finnish"),
    split_list("slavic hungarian greek caucasian"),
    split_list("hispanic italian french germanic nordic finnish slavic hungarian greek caucasian"),
)
"""Groups of peoples whose names may replace each other's, the nearest first."""
_ENDINGS = sections("names.endings.txt")
_RANKED_ENDINGS = {e: rank for rank, some in enumerate(_ENDINGS.values()) for e in some}
"""By ending, the place of its people; nearly no name has any of them."""
_LENGTHS = sorted({len(ending) for ending in _RANKED_ENDINGS})
_NO_RANK = len(_ENDINGS)
_STARTS = {
    "yoruba": split_list("oluw adey"),
    "igbo": split_list("okon chuk"),
    "african": split_list("nw mb nd nk nt mk ndl"),
    "arabic": split_list("abdul abdel"),
}
_ROOT = 3


@dataclass(frozen=True, slots=True)
class Census:
    """The lists of one country, by lower-case name; percentages of the population."""

    female: Mapping[str, float]
    male: Mapping[str, float]
    family: Mapping[str, float]
    other_given: Mapping[str, str]
    """Given names beyond the census: ``f``, ``m`` or ``n`` for either."""


@lru_cache(maxsize=1)
def census() -> Census:
    """Read the lists once."""
    rows = (line.split() for line in lines("names.given.txt"))
    shares = {heading: _read_shares(group) for heading, group in cut_groups(read_data(CENSUS))}
    return Census(
        female=shares[FEMALE],
        male=shares[MALE],
        family=shares[FAMILY],
        other_given={row[0]: row[1] for row in rows},
    )


def _read_shares(group: Iterable[str]) -> dict[str, float]:
    """Read the names of a group and their shares, the most frequent first."""
    fields = " ".join(group).split()
    return dict(zip(fields[::2], map(float, fields[1::2]), strict=True))


@lru_cache(maxsize=1)
def births() -> Mapping[str, str]:
    """Return ``f``, ``m`` or ``n`` for given names that the other lists lack or leave at ``n``."""
    return {name: sex for sex, names in sections(BIRTHS).items() for name in names}


def is_given(name: str) -> bool:
    """Return whether a token in lower case is a given name rather than a surname.

    It depends on the token alone, so that all notes agree.
    """
    lists = census()
    given = max(lists.female.get(name, 0.0), lists.male.get(name, 0.0))
    family = lists.family.get(name, 0.0)
    if name in lists.other_given and family < _RARE_PERCENT:
        return True
    return given > 0.0 and given >= family


def is_known(name: str) -> bool:
    """Return whether a token in lower case is on a list; two letters must be a frequent name."""
    lists = census()
    if len(name) < 3:  # noqa: PLR2004
        ranked = (lists.female, lists.male, lists.family)
        return max(shares.get(name, 0.0) for shares in ranked) >= _FREQUENT_PERCENT
    # Written out: nearly every word of a note is asked for.
    return (
        name in lists.family
        or name in lists.female
        or name in lists.male
        or name in lists.other_given
    )


def is_listed(name: str) -> bool:
    """Return whether a token in lower case is on any list of names at all."""
    everywhere = peoples()
    return (
        is_known(name) or name in births() or name in everywhere.family or name in everywhere.given
    )


def gender(name: str) -> str:
    """Return ``f``, ``m`` or ``n``: which list has the given name more often."""
    lists = census()
    female, male = lists.female.get(name, 0.0), lists.male.get(name, 0.0)
    if female == male:
        return lists.other_given.get(name, "n")
    return "f" if female > male else "m"


@dataclass(frozen=True, slots=True)
class Peoples:
    """The lists, in lower-case plain letters."""

    family: Mapping[str, str]
    """People, by surname."""
    given: Mapping[str, str]
    """People, by given name."""
    gender: Mapping[str, str]
    """``f``, ``m`` or ``n``, by given name."""
    drawn: Mapping[tuple[str, str, str], tuple[str, ...]]
    """Names that may be drawn, by people, sort (``family``, ``f``, ``m``) and initial."""
    called: Mapping[tuple[str, str], tuple[str, ...]]
    """Given names with their short forms, such as ``gregory/greg``, by gender and initial."""


@lru_cache(maxsize=1)
def peoples() -> Peoples:
    """Read the lists once."""
    family: dict[str, str] = {}
    given: dict[str, str] = {}
    genders: dict[str, str] = {}
    drawn: dict[tuple[str, str, str], tuple[str, ...]] = {}
    called: dict[tuple[str, str], tuple[str, ...]] = {}
    for people, sort, use, words in _read_sections():
        if use == "called":
            called |= {(sort, first): tuple(some) for (first, some) in _group_by_initial(words)}
            continue
        (family if sort == "family" else given).update(dict.fromkeys(words, people))
        if sort != "family":
            genders |= dict.fromkeys(words, sort)
        if not use:
            drawn |= {
                (people, sort, first): tuple(some) for first, some in _group_by_initial(words)
            }
    return Peoples(
        family=MappingProxyType(family),
        given=MappingProxyType(given),
        gender=MappingProxyType(genders),
        drawn=MappingProxyType(drawn),
        called=MappingProxyType(called),
    )


PEOPLES = tuple(dict.fromkeys(heading.split()[0] for heading in sections(_FILE)))
"""All peoples, in the order of the lists."""


def _read_sections() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    for heading, words in sections(_FILE).items():
        people, sort, *use = heading.split()
        yield people, sort, "".join(use), words


def _group_by_initial(words: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[0], []).append(word)
    yield from found.items()


def family_people(name: str) -> str:
    """Return the people of a surname in plain letters: by the lists, else by how it is formed.

    >>> family_people("martinez"), family_people("wolfenbaum"), family_people("ashgrove")
    ('hispanic', 'germanic', 'english')
    """
    known = peoples().family.get(name)
    return known or next(_find_peoples_by_form(name), ENGLISH)


def _find_peoples_by_form(name: str) -> Iterator[str]:
    tail = name[_ROOT:]
    ranks = [_RANKED_ENDINGS.get(tail[-length:], _NO_RANK) for length in _LENGTHS]
    if (first := min(ranks)) < _NO_RANK:
        yield tuple(_ENDINGS)[first]
    for people, starts in _STARTS.items():
        if name.startswith(starts):
            yield people


def given_people(name: str) -> str:
    """Return the people of a given name in plain letters, by the lists alone.

    One that America hardly has as a given name is of the people who have it as a surname.
    """
    lists = census()
    of_all = name in lists.female or name in lists.male
    return peoples().given.get(name) or (ENGLISH if of_all else peoples().family.get(name, ENGLISH))


def may_have_two_letters(name: str) -> bool:
    """Return whether a name may be of a people whose names may have two letters.

    >>> may_have_two_letters("xu"), may_have_two_letters("ja")
    (True, False)
    """
    return family_people(name) in SHORT_NAMED or given_people(name) in SHORT_NAMED


@lru_cache(maxsize=1)
def names_of_either() -> Mapping[str, float]:
    """Return the given names that women and men have about as often, with their shares."""
    lists = census()
    # Names such as Minh and Hong are of either sex, but of peoples that the lists do not tell.
    both = sorted(
        name
        for name in lists.female.keys() & lists.male.keys()
        if family_people(name) not in SHORT_NAMED
    )
    pairs = ((name, (lists.female[name], lists.male[name])) for name in both)
    return {n: sum(some) for n, some in pairs if max(some) <= _EITHER_TIMES * min(some)}
