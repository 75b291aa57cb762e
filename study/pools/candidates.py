"""The sentences that may enter a pool, and how near duplicates become one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from deidstream.study.pools.near_duplicates import find_near_duplicates


@dataclass(slots=True)
class Candidate:
    """A sentence that may enter the pool, as it was first written."""

    text: str = field(repr=False)
    donors: list[str] = field(repr=False)
    """Patients in whose notes it stands, in order; one may be there several times."""
    times: int = 1
    """How often it was read."""

    def add_donor(self, donor: str) -> None:
        """Count the sentence once more, in a note of a patient."""
        if donor != self.donors[-1]:
            self.donors.append(donor)
        self.times += 1


def merge_candidates(
    candidates: Sequence[Candidate], progress: Callable[[int, int], None]
) -> list[Candidate]:
    """Return the first of all that are near duplicates, with the donors of all of them.

    Args:
        candidates: In an order that is always the same; the donors are added to them.
        progress: Called now and then with the candidates done and in all.
    """
    first = find_near_duplicates([one.text for one in candidates], progress)
    merged: list[Candidate] = []
    for one, index in zip(candidates, first, strict=True):
        near = candidates[index]
        if near is one:
            merged.append(one)
        else:
            near.donors += one.donors
    return merged
