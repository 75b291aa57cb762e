"""Keep a count outside Redis that shows whether Redis went back to an older state.

With each claim a worker raises a count of its own in Redis, and keeps the count outside, in memory
and, if it has a folder, on its own disk. A Redis that was restored from a backup, or lost its last
writes, or is another one, knows a lower count than the worker.
"""

import asyncio
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Self

from deidstream.schemas.errors import MissingArtefact, UntrustedStore
from deidstream.schemas.system_faults import say_why
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

LOG = Logger("redis")
MOST_WORKERS = 1_000
WENT_BACK = "it went back to an older state, or is another one: restore the newest (docs/vault.md)"
_LINE = re.compile(rb"([0-9a-f]{32}) ([0-9]{1,18})\n")


@dataclass(slots=True)
class Watermark:
    """The highest count of claims that one worker has seen in Redis."""

    worker: bytes
    """Name of the worker: 32 random hexadecimal digits."""
    claims: int = 0
    """How many claims Redis must still know."""
    strict: bool = False
    """Whether the worker stops when Redis has lost claims."""
    file: "WatermarkFile | None" = field(default=None, repr=False)
    writing: Lock = field(default_factory=Lock, repr=False)
    """Held by the thread that writes the file: batches in work at once claim at once."""

    @classmethod
    def in_memory(cls) -> Self:
        """Return a count that is kept in memory only."""
        return cls(secrets.token_hex(16).encode())

    @classmethod
    def on_disk(cls, folder: Path, *, strict: bool) -> Self:
        """Return a count that is kept in ``folder``, which workers may share.

        Raises:
            MissingArtefact: The folder cannot be written.
        """
        file = WatermarkFile.acquire(folder)
        worker, claims = file.read() or (secrets.token_hex(16).encode(), 0)
        return cls(worker, claims, strict, file)

    async def compare(self, claims: int, *, at_least: int) -> None:
        """Compare the count in Redis with the least it must be, and keep it.

        Raises:
            UntrustedStore: Claims were lost, and the watermark is strict.
        """
        lost = claims < at_least
        if lost:
            metrics.count("deid_redis_lost_total")
            LOG.warning("redis-went-back")
            if self.strict:
                raise UntrustedStore("redis: " + WENT_BACK)
        if lost or claims > self.claims:
            self.claims = claims
            await self._write()

    async def _write(self) -> None:
        if self.file is None:
            return
        try:
            await asyncio.to_thread(self._write_newest, self.file)
        except MissingArtefact:
            if self.strict:
                raise
            LOG.warning("mark-not-kept")

    def _write_newest(self, file: "WatermarkFile") -> None:
        with self.writing:
            file.write(self.worker, self.claims)


@dataclass(frozen=True, slots=True)
class WatermarkFile:
    """A file that one worker at a time holds, and its lock."""

    path: Path
    lock: int

    @classmethod
    def acquire(cls, folder: Path) -> "WatermarkFile":
        """Take the first file that no worker holds; it is held until the process ends.

        Raises:
            MissingArtefact: The folder cannot be written.
        """
        try:
            folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
            for number in range(MOST_WORKERS):
                if (lock := _lock(folder / f"worker-{number}.lock")) is not None:
                    return cls(folder / f"worker-{number}.mark", lock)
        except OSError as error:
            msg = f"DEIDSTREAM_REDIS_STATE: {folder} cannot be written: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        msg = f"DEIDSTREAM_REDIS_STATE: {folder} is held by {MOST_WORKERS} workers"
        raise MissingArtefact(msg)

    def read(self) -> tuple[bytes, int] | None:
        """Read worker and count; ``None`` where none was written yet.

        Raises:
            MissingArtefact: The file holds something else.
        """
        return _read(self.path) if self.path.exists() else None

    def write(self, worker: bytes, claims: int) -> None:
        """Write worker and count to the disk, so that they survive a loss of power.

        Raises:
            MissingArtefact: The disk is full or gone.
        """
        fresh = self.path.with_suffix(".new")
        try:
            with fresh.open("wb") as file:
                file.write(b"%s %d\n" % (worker, claims))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            _sync_folder(self.path.parent)
        except OSError as error:
            why = say_why(error)
            msg = (
                f"DEIDSTREAM_REDIS_STATE: {self.path} cannot be written ({why}): make room there "
                "or mend the disk, then start the worker again; no note is lost"
            )
            raise MissingArtefact(msg) from None

    def release(self) -> None:
        """Release the file for another worker."""
        with suppress(OSError):
            os.close(self.lock)


def read_watermarks(folder: Path) -> Iterator[tuple[bytes, int]]:
    """Yield worker and count of every file in ``folder``.

    Raises:
        MissingArtefact: A file holds something else.
    """
    for file in sorted(folder.glob("worker-*.mark")):
        yield _read(file)


def _read(file: Path) -> tuple[bytes, int]:
    try:
        line = _LINE.fullmatch(file.read_bytes())
    except OSError:
        line = None
    if line is None:
        msg = f"DEIDSTREAM_REDIS_STATE: {file} cannot be read; see docs/vault.md"
        raise MissingArtefact(msg)
    return line[1], int(line[2])


def _lock(path: Path) -> int | None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, stat.S_IRUSR | stat.S_IWUSR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
