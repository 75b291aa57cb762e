"""How far each process of a job is: a small file that it writes and the command reads."""

import os
import platform
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from deidstream.agents.archive.job_plan import write_whole

EVERY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class UnfinishedShard:
    """The notes of a shard that are done, though the shard is not."""

    shard: int
    notes: int
    quarantined: Mapping[str, int]


@dataclass(slots=True)
class ProcessProgress:
    """Writes how far this process is."""

    path: Path
    _shard: int = -1
    _notes: int = 0
    _written_at: float = field(default=0.0)

    @classmethod
    def of_process(cls, folder: Path) -> "ProcessProgress":
        """Return the file of this process."""
        return cls(progress_file(folder, os.getpid()))

    def begin(self, shard: int) -> None:
        """Say that a shard begins."""
        self._shard, self._notes = shard, 0
        self._write(Counter())

    def advance(self, notes: int, quarantined: Mapping[str, int]) -> None:
        """Count notes that are done, and say so once a second."""
        self._notes += notes
        if time.monotonic() >= self._written_at + EVERY_SECONDS:
            self._write(quarantined)

    def end(self) -> None:
        """Say that no shard is unfinished here."""
        self.path.unlink(missing_ok=True)

    def _write(self, quarantined: Mapping[str, int]) -> None:
        state = UnfinishedShard(self._shard, self._notes, dict(quarantined))
        write_whole(self.path, orjson.dumps(state))
        self._written_at = time.monotonic()


def progress_file(folder: Path, process: int) -> Path:
    """Return the file of a process of this machine, which may share the folder with others."""
    return folder / f"{platform.node()}-{process}.json"


def read_progress(folder: Path, process: int) -> UnfinishedShard | None:
    """Return the unfinished shard of a process."""
    try:
        return UnfinishedShard(**orjson.loads(progress_file(folder, process).read_bytes()))
    except FileNotFoundError:
        return None
