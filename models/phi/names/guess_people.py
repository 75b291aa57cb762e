"""Guess of what people a given name is that no list has, by its letters.

A classifier of runs of three letters (naive Bayes), learnt from the lists of names by people; what
it is not sure of counts as English, as every name did that the lists lack.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from math import log

from deidstream.models.phi.names.name_lists import AFRICAN, ENGLISH, census, peoples

_RUN = 3
_MARGIN = 3.0
"""How much likelier, as a logarithm, the first people is than the second one. Six of seven names of
the lists that it was not taught, and that it is so sure of, are of the people that it says."""
_UNSEEN = 0.3
_SURNAMES, _GIVEN = 6000, 1500
"""How many frequent names of the census it learns as English, unless they are of another people."""


@dataclass(frozen=True, slots=True)
class _Runs:
    """How often the names of one people have each run of letters."""

    counts: Mapping[str, int] = field(repr=False)
    total: float

    def weigh(self, run: str) -> float:
        return log((self.counts.get(run, 0) + _UNSEEN) / self.total)


def guess_people(name: str) -> str:
    """Return the people of a given name in plain letters that is on no list.

    >>> guess_people("mzwandile"), guess_people("brannock")
    ('nguni', 'english')
    """
    runs = list(_cut_runs(name))
    likely = {one: sum(map(known.weigh, runs)) for one, known in _learn().items()}
    first, *others = sorted(likely, key=lambda one: (-likely[one], one))
    # It need not be sure which of the peoples of Africa it is.
    alike = AFRICAN if first in AFRICAN else ()
    second = next(one for one in others if one not in alike)
    return first if likely[first] - likely[second] >= _MARGIN else ENGLISH


@lru_cache(maxsize=1)
def _learn() -> Mapping[str, _Runs]:
    """Count the runs of the lists once."""
    lists, others = census(), peoples()
    named: dict[str, set[str]] = {}
    for name, people in chain(others.family.items(), others.given.items()):
        named.setdefault(people, set()).add(name)
    frequent = chain(
        islice(lists.family, _SURNAMES), islice(lists.female, _GIVEN), islice(lists.male, _GIVEN)
    )
    abroad = others.family.keys() | others.given.keys()
    named.setdefault(ENGLISH, set()).update(name for name in frequent if name not in abroad)
    counts = {
        people: Counter(run for name in names for run in _cut_runs(name))
        for people, names in named.items()
    }
    kinds = len(set(chain.from_iterable(counts.values())))
    return {
        people: _Runs(count, count.total() + _UNSEEN * kinds) for people, count in counts.items()
    }


def _cut_runs(name: str) -> Iterator[str]:
    marked = f"^{name}$"
    return (marked[place : place + _RUN] for place in range(len(marked) - _RUN + 1))
