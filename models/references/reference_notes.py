"""Reference notes: for each its donor, vector, word sketch and rows of the index; no text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.references.common_lines import CommonLines, digest_line
from deidstream.models.references.number_lists import NumberLists, Numbers
from deidstream.models.references.word_sketch import sketch_text

Vectors = NDArray[np.float32]

SALT_BYTES: Final = 16
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class ReferenceNotes:
    """Notes that an output is compared with, and whose sentences may stand in it."""

    donors: tuple[str, ...] = field(repr=False)
    """Pseudonym of the patient each note is about; empty for no patient."""
    vectors: Vectors = field(repr=False)
    """Shape ``(n, dimension)``: ``mean_vector`` of each note, of half precision."""
    rows: NumberLists = field(repr=False)
    """The pool sentences of each note in reading order; none for a note that gives no sentence. A
    sentence that several notes hold is one row of all of them."""
    words: NumberLists = field(repr=False)
    """The word sketch of each note."""
    kinds: NDArray[np.uint64] = field(repr=False)
    """Salted digest of the type that each note states; 0 for a note that states none."""
    lines: CommonLines = field(repr=False)
    """The lines that several of the notes hold."""
    salt: bytes = field(repr=False)

    def __len__(self) -> int:
        """Return how many notes there are."""
        return len(self.donors)

    def sketch(self, text: str) -> Numbers:
        """Sketch the words of a text so that it can be compared with these notes."""
        return sketch_text(text, self.salt)

    def kind_of(self, note_type: str | None) -> int:
        """Return the digest of a type of notes, as ``kinds`` has it; 0 for none."""
        return digest_line(note_type or "", self.salt)

    def count_line(self, line: str) -> int:
        """Return how many of the notes hold a line; 0 for one that fewer than two hold."""
        return self.lines.count(line, self.salt)

    @classmethod
    def none(cls, dimension: int) -> "ReferenceNotes":
        """Return the reference notes of an index that has none."""
        empty = NumberLists.pack([])
        vectors, salt = np.zeros((0, dimension), np.float32), b"\0" * SALT_BYTES
        kinds = np.zeros(0, np.uint64)
        return cls((), vectors, empty, empty, kinds, CommonLines.gather([], salt), salt)


@dataclass(frozen=True, slots=True)
class SourceNote:
    """A de-identified note, from which a reference note is made."""

    donor: str = field(repr=False)
    pieces: tuple[str, ...] = field(repr=False)
    """What ``split_sentences`` makes of it, headings included, in reading order: each on one line,
    with labels in place of PHI."""
    kind: str | None = field(default=None, repr=False)
    """The type that it states, such as ``discharge_summary``."""


def derive_salt(sentences: Sequence[str]) -> bytes:
    """Return the salt of the sketches of an index: the same pool always gives the same files."""
    digest = blake2b(digest_size=SALT_BYTES)
    for sentence in sentences:
        digest.update(sentence.encode() + b"\n")
    return digest.digest()


def mean_vector(vectors: Vectors) -> Vectors:
    """Return the vector of a note: the mean of those of its pieces, at unit length.

    Args:
        vectors: Shape ``(n, dimension)``; the sum is rounded, so that the order does not show.

    Returns:
        Shape ``(dimension,)``; zeros for no piece.
    """
    total = np.round(vectors.astype(np.float64).sum(axis=0), _DIGITS)
    length = float(np.sqrt(np.square(total).sum()))
    unit: Vectors = (total / (length or 1.0)).astype(np.float32)
    return unit
