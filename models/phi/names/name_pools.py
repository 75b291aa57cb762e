"""Pools of names to draw surrogates from, each name as often as people of the census have it.

Common names are in the pools, also those that are words or eponyms too, such as Young and Bell: a
reader who knew that no surrogate is a Smith would know that every Smith he finds was overlooked.

Sources: the shares of the 1990 US census. Names of other peoples that the census lacks come from
the lists of this project, and count as one person in 600,000 each.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain

from deidstream.models.keyring import Draw
from deidstream.models.phi.names.credentials import CREDENTIALS
from deidstream.models.phi.names.identity import (
    gender_of,
    identify_name,
    is_feminine,
    is_read_as_given,
    is_read_as_surname,
)
from deidstream.models.phi.names.kept_words import COMMON, LINKS, NEWBORN, PARTICLES, SUFFIXES
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    NEARBY,
    PEOPLES,
    SHORT_NAMED,
    census,
    family_people,
    given_people,
    names_of_either,
    peoples,
)
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.text.eponyms import EPONYMS
from deidstream.models.text.titles import TITLES
from deidstream.models.text.word_files import sections, words_in

LEAST = 3
"""Fewest names to draw from; with fewer, names of the peoples nearby are drawn."""
_UNITS = 6000
"""Weight of a percent. The census rounds the shares of its rarest 70,000 surnames to 0.000; they
have a tenth of all people, and one unit each has them have it too."""
_RARE_PERCENT = 0.01
"""A rarer surname that is an ordinary word is left out."""
_RARE_GIVEN_PERCENT = 0.05
"""So is a rarer one that is rather a given name: ``Dr Frank`` reads as one."""
_RARE_EPONYM_PERCENT = 0.005
"""So is a rarer one that is an eponym: taken for a name by mistake, one eponym must not become
another."""
_CALENDAR = frozenset(sections("names.beside.txt")["calendar"])
"""A name that could be read as a date."""
_BESIDE_NAMES = frozenset(TITLES | CREDENTIALS | COMMON | LINKS | NEWBORN | PARTICLES | SUFFIXES)
"""A name that could be read as what stands beside one."""
_ORDINARY = ("lexicon.txt", "allow_drugs.txt", "allow_anatomy.txt", "allow_peoples.txt")
"""Lists of ordinary clinical English."""
_EPONYMS = frozenset(to_plain_letters(term.removesuffix("'s")) for term in EPONYMS)
_SHORTEST = 3
_RANKED = 8
"""Names of a list and initial that never share a surrogate."""
_SORTS = {
    "family": "surnames",
    "f": "given names of women",
    "m": "given names of men",
    "n": "given names of either sex",
    "fm": "given names",
}
_TRIES = 8
"""Draws for each name of a pool, after which its other names follow in their order."""


@dataclass(frozen=True, slots=True)
class NamePool:
    """Names in lower case, some with a short form (``gregory/greg``), and their weights."""

    names: tuple[str, ...]
    sums: tuple[int, ...]
    """Sum of the weights up to each name."""
    title: str = field(default="", compare=False)
    """What the names are, for people: ``surnames with G, english``."""

    @classmethod
    def of_weights(cls, weights: Mapping[str, int], title: str = "") -> "NamePool":
        """Make a pool; the heaviest names come first, equal ones as they come."""
        ranked = sorted(weights, key=weights.__getitem__, reverse=True)
        return cls(tuple(ranked), tuple(accumulate(map(weights.__getitem__, ranked))), title)

    def draw_all(self, draw: Draw) -> Iterator[str]:
        """Yield every name once, in an order in which heavy names tend to come early.

        The first is drawn by weight; each next one is drawn by weight from those that are left.
        """
        if not self.names:
            return
        taken = set[int]()
        for _ in range(_TRIES * len(self.names)):
            place = bisect_right(self.sums, draw.below(self.sums[-1]))
            if place not in taken:
                taken.add(place)
                yield self.names[place]
            if len(taken) == len(self.names):
                return
        yield from (name for place, name in enumerate(self.names) if place not in taken)


@lru_cache(maxsize=4096)
def find_pools(people: str, sort: str, first: str) -> tuple[NamePool, ...]:
    """Return the pools to draw from in turn: of a people, of its neighbours, of English, of all.

    Args:
        people: A people of the lists.
        sort: ``family``, or the gender of a given name: ``f``, ``m`` or ``n`` for either, of which
            names of either come first.
        first: Initial of the drawn name.
    """
    circles = ((people,), *(near for near in NEARBY if people in near), (ENGLISH,))
    sexes = "fm" if sort == "n" else sort
    found = [_gather_names(circle, sexes, first) for circle in circles]
    pools = [some for some in found if len(some.names) >= LEAST]
    if sort == "n":
        # There are so few names of either sex that one of an initial is enough; the lists of most
        # peoples have none, and a name of one of its sexes fits better than an English one.
        of_either = (_gather_names(circle, sort, first) for circle in circles)
        foreign = [] if people == ENGLISH else [some for some in pools if some is not found[-1]]
        pools = [*foreign, *(some for some in of_either if some.names), *pools]
    return tuple(dict.fromkeys(pools)) or (_gather_names(tuple(PEOPLES), sexes, first),)


@lru_cache(maxsize=4096)
def _gather_names(circle: tuple[str, ...], sort: str, first: str) -> NamePool:
    """Gather the names of some peoples once: the pool of English ones follows that of each."""
    weights: dict[str, int] = {}
    for one in "fm" if sort == "fm" else (sort,):
        for people in circle:
            weights |= _weigh_names(one, first).get(people, {})
    return NamePool.of_weights(weights, f"{_SORTS[sort]} with {first.upper()}, {', '.join(circle)}")


@lru_cache(maxsize=128)
def _weigh_names(sort: str, first: str) -> Mapping[str, Mapping[str, int]]:
    """Return the names of a sort and initial with their weights, by people."""
    found: dict[str, dict[str, int]] = {}
    people_of = family_people if sort == "family" else given_people
    for name, share in _list_names(sort).get(first, ()):
        if _is_fit(name, share, sort):
            weight = max(1, round(share * _UNITS))
            found.setdefault(people_of(name), {})[name] = weight
    if sort != "family":
        _shorten_names(found.setdefault(ENGLISH, {}), sort, first)
    return found


def _shorten_names(english: dict[str, int], sort: str, first: str) -> None:
    for pair in peoples().called.get((sort, first), ()):
        english[pair] = english.pop(pair.partition("/")[0], 1)


@lru_cache(maxsize=4)
def _list_names(sort: str) -> Mapping[str, list[tuple[str, float]]]:
    """Return all names of a sort with their shares in percent, by initial."""
    lists, others = census(), peoples()
    shares = {
        "family": lists.family,
        "f": lists.female,
        "m": lists.male,
        "n": names_of_either(),
    }[sort]
    of_lists = chain.from_iterable(
        some for (_, kind, _), some in others.drawn.items() if kind == sort
    )
    found: dict[str, list[tuple[str, float]]] = {}
    for name in _unique(chain(shares, of_lists)):
        found.setdefault(name[0], []).append((name, shares.get(name, 0.0)))
    return found


def _unique(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(names)


def _is_fit(name: str, share: float, sort: str) -> bool:
    """Return whether a name may stand for another one of its sort."""
    if name in _CALENDAR or name in _BESIDE_NAMES:
        return False
    if sort != "family":
        of_sex = gender_of(name) == sort and not is_read_as_surname(name)
        return len(name) >= _SHORTEST and (sort == "n" or of_sex)
    if len(name) < _SHORTEST and family_people(name) not in SHORT_NAMED:
        return False
    if share < _RARE_PERCENT and name in _ordinary_words():
        return False
    if share < _RARE_GIVEN_PERCENT and is_read_as_given(name):
        return False
    return not (share < _RARE_EPONYM_PERCENT and name in _EPONYMS) and not is_feminine(name)


@lru_cache(maxsize=1)
def _ordinary_words() -> frozenset[str]:
    return frozenset(to_plain_letters(word) for file in _ORDINARY for word in words_in(file))


@lru_cache(maxsize=2048)
def rank_names(kind: str, people: str, sort: str, first: str) -> Mapping[str, int]:
    """Number the most frequent identities of a list and initial, from the most frequent one.

    Args:
        kind: ``FAMILY`` or ``GIVEN``.
        people: A people of the lists.
        sort: ``family``, or the gender of a given name.
        first: Initial of the names.
    """
    if sort == "n":
        return {}
    weights = _weigh_names(sort, first).get(people, {})
    frequent = sorted(weights, key=weights.__getitem__, reverse=True)[:_RANKED]
    identities = (identify_name(name.partition("/")[0]) for name in frequent)
    ranked = _unique(one.value for one in identities if one.kind == kind)
    return {value: rank for rank, value in enumerate(ranked)}
