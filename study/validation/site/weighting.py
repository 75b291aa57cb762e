"""How many notes of all each note that was read stands for.

Strata from which extra notes were drawn have a weight each. All others together are a plain sample:
their notes have one weight, however few of one stratum are in it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deidstream.study.validation.site.judged_notes import JudgedNote

_PLAIN = None
Part = str | None
"""A stratum with extra notes, or all others."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """The parts of a sample, with the notes of all and the notes read of each."""

    extra: frozenset[str]
    sizes: Mapping[Part, int]
    read: Mapping[Part, int]

    @classmethod
    def of(cls, judged: Sequence[JudgedNote], frame: Mapping[str, Any]) -> "Weighting":
        """Weigh the notes that were read, drawn from what a frame says."""
        extra = frozenset(frame["extra"])
        sizes, read = Counter[Part](), Counter[Part]()
        for stratum, size in frame["strata"].items():
            sizes[stratum if stratum in extra else _PLAIN] += size
        for one in judged:
            read[one.note.stratum if one.note.stratum in extra else _PLAIN] += 1
        return cls(extra, sizes, read)

    @property
    def notes(self) -> int:
        """The number of all notes."""
        return sum(self.sizes.values())

    @property
    def unread(self) -> float:
        """The share of all notes in parts of which none was read."""
        return sum(n for part, n in self.sizes.items() if not self.read.get(part)) / self.notes

    @property
    def is_plain(self) -> bool:
        """Whether it is one plain sample, without extra notes."""
        return not self.extra

    @property
    def largest(self) -> float:
        """The greatest weight of a part of which some notes were not read; 0: all were."""
        parts = [part for part in self.sizes if self.read.get(part) and not self.is_whole(part)]
        return max((self._weight(part) for part in parts), default=0.0)

    def part_of(self, one: JudgedNote) -> Part:
        """Return the part of a note."""
        return one.note.stratum if one.note.stratum in self.extra else _PLAIN

    def is_whole(self, part: Part) -> bool:
        """Return whether every note of a part was read, so that it is no sample."""
        return self.read[part] >= self.sizes[part]

    def weigh(self, one: JudgedNote) -> float:
        """Return the share of all notes that a note stands for."""
        return self._weight(self.part_of(one))

    def _weight(self, part: Part) -> float:
        return self.sizes[part] / self.notes / self.read[part]
