"""The manifest: what was sent, where the broker put it, and what must become of it (SQLite)."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.canary_notes import CanaryNote

_TABLE = """
create table if not exists sent (
    seq integer primary key, place integer, offset integer, key text, note_id text,
    patient_id text, content text, text text, canaries text, fate text
)
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """One message that the broker has confirmed."""

    seq: int
    partition: int
    offset: int
    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    content: str
    """Digest of the message."""
    text: str = field(repr=False)
    canaries: tuple[str, ...] = field(repr=False)
    fate: str


@dataclass(slots=True)
class Manifest:
    """One run's manifest; any thread may write."""

    path: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        self._connection = sqlite3.connect(self.path, check_same_thread=False)
        self._connection.execute(_TABLE)

    def add(self, seq: int, note: CanaryNote, content: str) -> None:
        """Write a message before it is sent."""
        row = (seq, -1, -1, note.key.decode(), note.note_id, note.patient_id)
        rest = (content, note.text, "\n".join(note.canaries), note.fate)
        with self._lock:
            self._connection.execute("insert into sent values (?,?,?,?,?,?,?,?,?,?)", (*row, *rest))

    def confirm(self, placed: Sequence[tuple[int, int, int]]) -> None:
        """Write where messages lie: (partition, offset, seq) of each."""
        with self._lock:
            self._connection.executemany(
                "update sent set place = ?, offset = ? where seq = ?", placed
            )
            self._connection.commit()

    def sent(self) -> list[Sent]:
        """Return everything that the broker has confirmed, in the order of sending."""
        return list(self._rows())

    def _rows(self) -> Iterator[Sent]:
        columns = "seq, place, offset, note_id, patient_id, content, text, canaries, fate"
        with self._lock:
            found = self._connection.execute(
                f"select {columns} from sent where offset >= 0 order by seq"  # noqa: S608 - constant
            ).fetchall()
        for seq, place, offset, note_id, patient, content, text, canaries, fate in found:
            words = tuple(canaries.split("\n"))
            yield Sent(seq, place, offset, note_id, patient, content, text, words, fate)

    def unconfirmed(self) -> int:
        """Count what was sent and not confirmed."""
        with self._lock:
            query = "select count(*) from sent where offset < 0"
            return int(self._connection.execute(query).fetchone()[0])

    def close(self) -> None:
        """Write everything to the file."""
        with self._lock:
            self._connection.commit()
            self._connection.close()
