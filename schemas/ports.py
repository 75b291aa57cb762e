"""Protocols between the layers, and the record that one of them stores.

Implementations do not inherit the protocols; ``agents.runtime.compose`` checks them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Recognizer(Protocol):
    """Finds spans of PHI."""

    @property
    def name(self) -> str:
        """The name by which policies and ``Span.source`` call it."""
        ...

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the spans of each note, in the order of the notes.

        A note's spans never depend on the notes beside it. Spans may overlap and need not be
        sorted. Whatever is raised fails every note of the call; the caller then halves the batch.
        """
        ...


class SurrogateStore(Protocol):
    """Keeps surrogates consistent across notes and workers.

    Names are keyed digests, values are keyed digests or sealed seeds: neither holds text.
    """

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names`` in one round trip; ``None`` for the unknown.

        Raises:
            Unavailable: The store is unavailable.
        """
        ...

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one, in one round trip; return the winners.

        The first claim of a name wins; every claim returns the winner's value.

        Raises:
            Unavailable: The store is unavailable; some pairs may have been written.
        """
        ...


class TokenCounter(Protocol):
    """Counts word pieces."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of word pieces of each text, special tokens left out."""
        ...


@dataclass(frozen=True, slots=True)
class SealedRecord:
    """A reversible record as a store keeps it; without its key nothing in it can be read."""

    patient: bytes
    """16 bytes under which the list of the patient's records is kept."""
    entry: bytes
    """The record's name, sealed for that list alone."""
    name: bytes
    """16 bytes under which the record is kept."""
    value: bytes
    """The originals, sealed."""


class Embedder(Protocol):
    """Turns texts into vectors whose cosine is their similarity."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the vectors depend on, in hexadecimal."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Embed each text.

        Returns:
            Shape ``(len(texts), dimension)``, rows of unit length in the order of ``texts``. A
            row never depends on the texts beside it. Nothing is truncated.
        """
        ...


class NoteEmbedder(Embedder, Protocol):
    """An embedder with what a worker needs of it besides."""

    @property
    def pieces(self) -> TokenCounter:
        """What counts the word pieces of notes, for the budget of a batch."""
        ...

    @property
    def precision(self) -> str:
        """In what it computes, such as ``bf16``."""
        ...
