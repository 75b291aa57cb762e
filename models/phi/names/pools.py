"""Name lists: what kind of name a token is, and the English names that may stand in for one.

Source: the 1990 US census lists that the package ``names`` carries, and for telling given names of
other languages a list after Faker's providers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from deidstream.models.phi.names.initials import FILLED
from deidstream.models.phi.names.origins import ENGLISH, peoples
from deidstream.models.text.word_files import listed

_RARE_PERCENT, _FREQUENT_PERCENT = 0.001, 0.003


@dataclass(frozen=True, slots=True)
class Names:
    """The lists, by lower-case name; percentages of the population."""

    female: Mapping[str, float]
    male: Mapping[str, float]
    family: Mapping[str, float]
    other_given: Mapping[str, str]
    """Given names beyond the census: ``f``, ``m`` or ``n`` for either."""
    given_pool: Mapping[tuple[str, str], tuple[str, ...]]
    """English ones by gender (``f``, ``m``) and initial."""
    family_pool: Mapping[str, tuple[str, ...]]
    """English ones by initial. Very common names are left out of both."""


@lru_cache(maxsize=1)
def names() -> Names:
    """Read the lists once."""
    female, male, family = (
        _census(f"dist.{part}") for part in ("female.first", "male.first", "all.last")
    )
    return Names(
        female=female,
        male=male,
        family=family,
        other_given=_other_given(),
        given_pool=MappingProxyType({(g, c): _english(g, c) for g in "fm" for c in FILLED}),
        family_pool=MappingProxyType({c: _english("family", c) for c in FILLED}),
    )


def _census(file: str) -> dict[str, float]:
    lines = files("names").joinpath(file).read_text("ascii").splitlines()
    rows = (line.split() for line in lines)
    return {row[0].lower(): float(row[1]) for row in rows if row}


def _other_given() -> dict[str, str]:
    path = files("deidstream.models").joinpath("data", "names.given.txt")
    rows = (line.split() for line in path.read_text("utf-8").splitlines())
    return {row[0]: row[1] for row in rows if row[0] != "#"}


def _english(sort: str, first: str) -> tuple[str, ...]:
    return tuple(map(written, peoples().drawn[ENGLISH, sort, first]))


def written(name: str) -> str:
    """Write a name of the lists, which know no lower case, as people do.

    >>> written("mcdowell"), written("obrien"), written("stone")
    ('McDowell', "O'Brien", 'Stone')
    """
    if name.startswith("mc") and len(name) > 4:  # noqa: PLR2004
        return "Mc" + name[2:].capitalize()
    if name[:2] in {"ob", "oc", "od", "oh"} and name[2:3] in set("aeiour"):
        return "O'" + name[1:].capitalize() if name in _IRISH else name.capitalize()
    return name.capitalize()


_IRISH = frozenset(listed("obrien obrian obryan ohara ohare ohearn odonnell odonoghue odea"))


def is_given(name: str) -> bool:
    """Tell a given name from a surname by the token alone (lower case), so that all notes agree."""
    lists = names()
    given = max(lists.female.get(name, 0.0), lists.male.get(name, 0.0))
    family = lists.family.get(name, 0.0)
    if name in lists.other_given and family < _RARE_PERCENT:
        return True
    return given > 0.0 and given >= family


def is_known(name: str) -> bool:
    """Tell whether any list has the token (lower case); two letters must be a frequent name."""
    lists = names()
    census = (lists.female, lists.male, lists.family)
    if len(name) < 3:  # noqa: PLR2004
        return max(ranked.get(name, 0.0) for ranked in census) >= _FREQUENT_PERCENT
    return any(name in ranked for ranked in census) or name in lists.other_given


def gender(name: str) -> str:
    """``f``, ``m`` or ``n``: which list has the given name more often."""
    lists = names()
    female, male = lists.female.get(name, 0.0), lists.male.get(name, 0.0)
    if female == male:
        return lists.other_given.get(name, "n")
    return "f" if female > male else "m"
