"""The limits of one note: its bytes, its word pieces and its processor time."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from deidstream.agents.settings import WorkerSettings
from deidstream.models.time_budget import TimeBudget
from deidstream.schemas.errors import Stage, TooSlow
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import TokenCounter

SHARE_BYTES = 50_000
"""Bytes of text for which a note has its seconds once more."""
FEW_PIECES = 20_000
"""Word pieces up to which a text may be as dense as it likes."""
MOST_PIECES_A_BYTE = 6
"""No tokenizer makes more word pieces of a text: NFKC makes 18 characters of the three bytes of
U+FDFA, which is the most that it makes of any, and a piece holds one of them at least."""
BYTES_A_PIECE = 3
"""Bytes of notes for one word piece, rounded down; ordinary notes have 3.2 to 4.8."""


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

    def count_pieces(self, text: str, counter: TokenCounter) -> int:
        """Return the word pieces of a text: estimated for a short one, of a long one their count.

        A short text has too few for the limit, whatever it holds, and for the size of a batch an
        estimate is enough. It is only cut into pieces once, by the models that read it.

        Raises:
            TooSlow: The text has too many word pieces for its length.
        """
        size = _size(text)
        if size * MOST_PIECES_A_BYTE <= FEW_PIECES:
            return size // BYTES_A_PIECE + 1
        (pieces,) = counter.count([text])
        self.refuse_dense(text, pieces)
        return pieces

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
