"""The pseudonyms of all notes of a job, and which rows of the input are of one note."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.archive.note_identity import VersionAge

RECORD = np.dtype(
    [
        ("place", "<u8"),
        ("high", "<u8"),  # the halves of the pseudonym; both 0: no note
        ("low", "<u8"),
        ("moment", "<i8"),
        ("version", "<i8"),
        ("weight", "<u1"),
        ("authored", "<i8"),
        ("content", "<u8"),
        ("bucket", "<u4"),
    ]
)
"""What is kept of each row of the input."""
Records = NDArray[Any]
_AGE = ("moment", "version", "weight", "authored")
_TOGETHER = 4_000_000
"""Records that are compared at once."""


@dataclass(frozen=True, slots=True)
class InputId:
    """One row of the input: where it is, and which note it is of."""

    place: int
    pseudonym: bytes | None
    """16 bytes; ``None``: it is no note that can be read."""
    age: VersionAge = field(default_factory=VersionAge)
    content: int = 0

    def pack(self, bucket: int) -> bytes:
        """Return the record of it."""
        high, low = (0, 0) if self.pseudonym is None else _halves(self.pseudonym)
        age = (self.age.moment, self.age.version, self.age.weight, self.age.authored)
        row = (self.place, high, low, *age, self.content, bucket)
        return np.array([row], RECORD).tobytes()


def read_ids(path: Path) -> Records:
    """Read the records of a bucket."""
    return np.fromfile(path, RECORD)


def pseudonym_of(record: Any) -> str | None:  # noqa: ANN401 - a row of numpy
    """Return the pseudonym of a record in hexadecimal digits."""
    if not (record["high"] or record["low"]):
        return None
    return f"{int(record['high']):016x}{int(record['low']):016x}"


@dataclass(frozen=True, slots=True)
class ReplacedRow:
    """A row in whose place another one of the same note stands."""

    bucket: int
    place: int
    unknown: bool
    """Whether nothing says which of the two is meant, though they differ."""


def find_replaced(paths: Sequence[Path], total: int) -> Iterator[ReplacedRow]:
    """Yield every row that gives way to another one of its note: the newest one stays.

    Of one version, a note that is taken back stays before a corrected one, and that before
    others; among equals, the first. Memory is bounded: ids are compared by parts of their range.
    """
    parts = max(1, -(-total // _TOGETHER))
    for part in range(parts):
        chosen = [_choose(read_ids(path), part, parts) for path in paths]
        if chosen:
            yield from _compare(np.concatenate(chosen))


def _choose(records: Records, part: int, parts: int) -> Records:
    known = (records["high"] != 0) | (records["low"] != 0)
    chosen: Records = records[known & (records["high"] % np.uint64(parts) == part)]
    return chosen


def _compare(records: Records) -> Iterator[ReplacedRow]:
    newest_first = (
        records["place"],
        -records["authored"],
        -records["weight"].astype(np.int64),
        -records["version"],
        -records["moment"],
        records["low"],
        records["high"],
    )
    ordered = records[np.lexsort(newest_first)]
    same = (ordered["high"][1:] == ordered["high"][:-1]) & (
        ordered["low"][1:] == ordered["low"][:-1]
    )
    stays = ordered[:1]
    for at in np.flatnonzero(same):
        if at == 0 or not same[at - 1]:
            stays = ordered[at]
        row = ordered[at + 1]
        tied = all(row[name] == stays[name] for name in _AGE)
        unknown = bool(tied and row["content"] != stays["content"])
        yield ReplacedRow(int(row["bucket"]), int(row["place"]), unknown)


def write_ids(path: Path, packed: Iterable[bytes]) -> None:
    """Add records to those of a bucket."""
    with path.open("ab") as file:
        file.write(b"".join(packed))


def _halves(pseudonym: bytes) -> tuple[int, int]:
    return int.from_bytes(pseudonym[:8]), int.from_bytes(pseudonym[8:])
