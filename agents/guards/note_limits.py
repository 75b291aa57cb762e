"""The limits of one note: its bytes, its word pieces and its processor time."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from deidstream.agents.settings import WorkerSettings
from deidstream.schemas.errors import Stage, TooSlow
from deidstream.schemas.note import RawNote
from deidstream.schemas.time_budget import TimeBudget

SHARE_BYTES = 50_000
"""Bytes of text for which a note has its seconds once more."""
FEW_PIECES = 20_000
"""Word pieces up to which a text may be as dense as it likes."""


@dataclass(frozen=True, slots=True)
class NoteLimits:
    """What a note may have and take. Beyond it the note is quarantined."""

    note_bytes: int
    """Most bytes of a message."""
    seconds: float
    """Processor seconds of a note, once more for each ``SHARE_BYTES``; 0: no limit."""
    pieces: int
    """Most word pieces for 1,000 bytes of text; 0: no limit."""

    @classmethod
    def read(cls, worker: WorkerSettings) -> Self:
        """Read the limits from the settings."""
        return cls(worker.note_bytes, worker.note_seconds, worker.note_pieces)

    def refuse_dense(self, text: str, pieces: int) -> None:
        """Refuse a text of little but signs: each is a word piece, which costs as much as a word.

        Raises:
            TooSlow: The text has too many word pieces for its length.
        """
        if self.pieces and pieces > max(FEW_PIECES, self.pieces * _size(text) // 1000):
            raise TooSlow(Stage.DECODE)

    def make_budget(self, notes: Iterable[RawNote]) -> TimeBudget:
        """Return the time for notes that are run together: that of one note of their length."""
        size = sum(_size(note.text) for note in notes)
        seconds = self.seconds * (1 + size / SHARE_BYTES)
        return TimeBudget(seconds or float("inf"))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
