"""What reads the notes of an input, whatever its form."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from deidstream.schemas.outcome import Failed


@dataclass(frozen=True, slots=True)
class InputNote:
    """One note of an input, before it is decoded."""

    place: int
    """Number of its line, row or file, from 0."""
    message: bytes | Failed = field(repr=False)
    """A ``notes.raw`` record, or why there is none."""
    kept: tuple[object, ...] = field(default=(), repr=False)
    """Cells that the output has too, in the order of ``NoteSource.keep``."""
    name: str = field(default="", repr=False)
    """What would be its id, where there is no record."""
    file: Path | None = field(default=None, repr=False)
    """The Word document that it was read from."""


class NoteSource(Protocol):
    """An input that has been opened: its form is known, and its columns are."""

    @property
    def unit(self) -> str:
        """What its places count: ``line``, ``row``, ``note`` or ``file``."""
        ...

    @property
    def keep(self) -> Sequence[str]:
        """The names of the columns that are kept."""
        ...

    def count(self) -> int | None:
        """Return the number of notes; ``None`` where only reading them would tell.

        Raises:
            MissingArtefact: The input cannot be read.
        """
        ...

    def read(self) -> Iterator[InputNote]:
        """Yield the notes, each once.

        Raises:
            MissingArtefact: The input cannot be read.
        """
        ...
