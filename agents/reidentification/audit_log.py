"""The audit log of re-identification: one line a token, each chained to the one before it."""

import fcntl
import os
import stat
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deidstream.models.reidentification.audit_chain import START, chained, record_of, verify
from deidstream.schemas.errors import MissingArtefact, Refused

OWNER = stat.S_IRUSR | stat.S_IWUSR


def write_whole(handle: int, content: bytes) -> None:
    """Write all of ``content``, and wait until it is on the disk.

    Raises:
        OSError: It could not be written; a part of it may have been.
    """
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


@dataclass(slots=True)
class Log:
    """An audit log that is open, locked and whole."""

    path: Path
    handle: int
    head: str
    lines: list[bytes]

    def add(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Append records, all or none; they are on the disk then.

        Raises:
            MissingArtefact: They cannot be written.
        """
        size, head, lines = os.fstat(self.handle).st_size, self.head, list[bytes]()
        for fields in entries:
            number = len(self.lines) + len(lines) + 1
            entry = {"number": number, "at": time.time(), "uid": os.getuid(), **fields}
            line, head = chained(head, entry)
            lines.append(line)
        try:
            write_whole(self.handle, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            # A part of a record would break the log for good; one that only grows keeps it.
            with suppress(OSError):
                os.ftruncate(self.handle, size)
            msg = f"{self.path}: the audit log cannot be written: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        self.head, self.lines = head, self.lines + lines

    def decodes(self, tenant: str, since: float) -> int:
        """Count the tokens of a tenant that were looked up since a time.

        All records are looked at: a clock that was set back leaves times out of order.
        """
        records = (record_of(line) for line in self.lines)
        return sum(
            record["tenant"] == tenant and record["token"] != ""
            for record in records
            if float(str(record["at"])) >= since
        )


@contextmanager
def locked(path: Path) -> Generator[Log]:
    """Open an audit log for appending; whoever comes meanwhile waits.

    Raises:
        MissingArtefact: It cannot be opened or read.
        Refused: It is broken: nothing more is decoded before somebody has looked.
    """
    with _opened(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, fcntl.LOCK_EX) as (handle, content):
        lines = _lines(content)
        verdict = verify(lines)
        if verdict.broken:
            msg = f"{path}: record {verdict.broken} of the audit log is broken; nothing is decoded"
            raise Refused(msg)
        yield Log(path, handle, verdict.head, lines)


def check_log(path: Path, head: str = START) -> str:
    """Verify an audit log, and tell how many records it has and its head.

    Args:
        path: The log.
        head: One that it is to have had, as told before: a log that was cut short has not.

    Raises:
        MissingArtefact: It cannot be read.
        Refused: A record is broken, or the log has never had that head.
    """
    with _opened(path, os.O_RDONLY, fcntl.LOCK_SH) as (_, content):
        verdict = verify(_lines(content), head)
    if verdict.broken:
        msg = f"{path}: record {verdict.broken} is the first broken one"
        raise Refused(msg)
    if not verdict.seen:
        msg = f"{path}: has no record of the head {head[:12]}: it was cut short, or is another log"
        raise Refused(msg)
    return f"{verdict.records} records, whole; head {verdict.head}"


@contextmanager
def _opened(path: Path, flags: int, lock: int) -> Generator[tuple[int, bytes]]:
    try:
        handle = os.open(path, flags, OWNER)
    except OSError as error:
        msg = f"{path}: the audit log cannot be opened: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        yield handle, _content(path, handle, lock)
    finally:
        os.close(handle)


def _content(path: Path, handle: int, lock: int) -> bytes:
    try:
        fcntl.flock(handle, lock)
        # Whoever had the lock may have moved the file away: what we hold is the log no more.
        if not os.path.samestat(os.fstat(handle), path.stat()):
            msg = f"{path}: the audit log was replaced meanwhile; try again"
            raise MissingArtefact(msg)
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read()
    except OSError as error:
        msg = f"{path}: the audit log cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _lines(content: bytes) -> list[bytes]:
    """The records; one whose line does not end was cut short, and is none."""
    *lines, last = content.split(b"\n")
    return [*lines, last + b"\n"] if last else lines
