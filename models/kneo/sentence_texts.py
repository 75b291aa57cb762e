"""The sentences of a pool in one buffer, and the patients that each comes from.

A million short strings would take more memory in Python than their vectors do.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
from numpy.typing import NDArray

from deidstream.models.references.number_lists import NumberLists, Numbers


@dataclass(frozen=True, slots=True)
class SentenceTexts(Sequence[str]):
    """Sentences by row; each is decoded when it is asked for."""

    content: bytes = field(repr=False)
    """UTF-8, a line break behind each but the last."""
    ends: NDArray[np.int64] = field(repr=False)
    """Where each ends in ``content``."""

    @classmethod
    def pack(cls, texts: Sequence[str]) -> "SentenceTexts":
        """Return sentences, none of which has a line break, in one buffer."""
        return cls.parse("\n".join(texts).encode())

    @classmethod
    def parse(cls, content: bytes) -> "SentenceTexts":
        """Return the sentences of the file ``sentences.txt``."""
        breaks = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n"))
        return cls(content, np.append(breaks, len(content)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> "tuple[str, ...]": ...

    def __getitem__(self, place: int | slice) -> "str | tuple[str, ...]":
        """Return one sentence, or some.

        Raises:
            IndexError: No sentence has this place.
        """
        if isinstance(place, slice):
            return tuple(self[row] for row in range(*place.indices(len(self))))
        row = place + len(self) if place < 0 else place
        if not 0 <= row < len(self):
            msg = "no such sentence"
            raise IndexError(msg)
        begin = int(self.ends[row - 1]) + 1 if row else 0
        return self.content[begin : int(self.ends[row])].decode()


@dataclass(frozen=True, slots=True)
class SentenceDonors:
    """The patients that the sentences of a pool come from; iterates over their pseudonyms."""

    names: tuple[str, ...] = field(repr=False)
    """Distinct pseudonyms."""
    lists: NumberLists = field(repr=False)
    """For each sentence the places of its donors in ``names``; none for one of no patient."""
    numbers: Mapping[str, int] = field(repr=False)
    """The place of each pseudonym."""

    @classmethod
    def pack(cls, donors: Sequence[str | Collection[str]]) -> "SentenceDonors":
        """Return the donors of sentences.

        Args:
            donors: For each sentence a pseudonym, or several; an empty one is of no patient.
        """
        numbers: dict[str, int] = {}
        lists: list[Numbers] = []
        for one in donors:
            several = (one,) if isinstance(one, str) else one
            named = sorted({name for name in several if name})
            lists.append(
                np.array([numbers.setdefault(name, len(numbers)) for name in named], np.uint32)
            )
        return cls(tuple(numbers), NumberLists.pack(lists), numbers)

    @classmethod
    def parse(cls, names: str, stored: Numbers, sentences: int) -> "SentenceDonors":
        """Return the donors that two files of an index hold.

        Args:
            names: A pseudonym a line.
            stored: What ``NumberLists.flatten`` made.
            sentences: How many there are.

        Raises:
            ValueError: The files do not fit together.
        """
        listed = tuple(names.split("\n")[:-1])
        lists = NumberLists.parse(stored, sentences)
        if (lists.values >= len(listed)).any():
            msg = "the donors of sentences are damaged"
            raise ValueError(msg)
        return cls(listed, lists, {name: place for place, name in enumerate(listed)})

    def __iter__(self) -> Iterator[str]:
        """Yield each pseudonym once."""
        return iter(self.names)

    def of(self, row: int) -> tuple[str, ...]:
        """Return the donors of a sentence."""
        return tuple(self.names[number] for number in self.lists.of(row).tolist())

    def holds(self, row: int, donors: Collection[str]) -> bool:
        """Return whether a sentence comes from any of these patients."""
        own = {self.numbers[donor] for donor in donors if donor in self.numbers}
        return bool(own) and not own.isdisjoint(self.lists.of(row).tolist())
