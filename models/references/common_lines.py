"""How many reference notes hold a line, such as a heading; of lines that several hold alone.

A line is kept as a salted digest, as words are (``word_sketch``). One that a single note holds is
not kept at all: it tells of that note.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

_BYTES = 8
_LEAST: Final = 2


def comparison_key(text: str) -> str:
    """Return the form in which sentences are compared: small letters and digits only."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


@dataclass(frozen=True, slots=True)
class CommonLines:
    """The lines that at least two reference notes hold, and in how many they are."""

    digests: NDArray[np.uint64] = field(repr=False)
    """Ascending and distinct."""
    counts: NDArray[np.uint64] = field(repr=False)

    @classmethod
    def gather(cls, notes: Iterable[Sequence[str]], salt: bytes) -> "CommonLines":
        """Count in how many notes each line is.

        Args:
            notes: The lines of each note.
            salt: Of the digests.
        """
        counted = Counter[str]()
        for lines in notes:
            counted.update(set(map(comparison_key, lines)))
        several = Counter[int]()
        for line, count in counted.items():
            if count >= _LEAST and line:
                several[_digest_key(line, salt)] += count
        ordered = sorted(several)
        return cls(
            np.array(ordered, np.uint64), np.array([several[one] for one in ordered], np.uint64)
        )

    def count(self, line: str, salt: bytes) -> int:
        """Return how many notes hold a line; 0 for one that fewer than two hold."""
        digest = np.uint64(digest_line(line, salt))
        place = int(np.searchsorted(self.digests, digest))
        found = place < len(self.digests) and self.digests[place] == digest
        return int(self.counts[place]) if found else 0

    def flatten(self) -> NDArray[np.uint64]:
        """Return one array to be stored; shape ``(2, n)``."""
        return np.stack([self.digests, self.counts])

    @classmethod
    def parse(cls, stored: NDArray[np.uint64]) -> "CommonLines":
        """Return what ``flatten`` made.

        Raises:
            ValueError: It is no such array.
        """
        if stored.dtype != np.uint64 or stored.ndim != 2 or len(stored) != 2:  # noqa: PLR2004
            msg = "the common lines of notes are damaged"
            raise ValueError(msg)
        digests, counts = stored
        if not bool((digests[1:] > digests[:-1]).all()):
            msg = "the common lines of notes do not ascend"
            raise ValueError(msg)
        return cls(digests, counts)


def digest_line(line: str, salt: bytes) -> int:
    """Return the salted digest of a line, by its letters and digits; 0 for one without any."""
    key = comparison_key(line)
    return _digest_key(key, salt) if key else 0


def _digest_key(key: str, salt: bytes) -> int:
    raw = key.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=_BYTES, key=salt).digest(), "little")
