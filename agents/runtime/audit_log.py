"""The audit log of re-identification: one line for each token, chained to the line before it."""

import fcntl
import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.runtime.private_files import OWNER, append_whole
from deidstream.models.reidentification.audit_chain import START, chain, read_record, verify
from deidstream.schemas.errors import MissingArtefact, Refused


@dataclass(slots=True)
class Log:
    """An audit log that is open, locked and intact."""

    path: Path
    handle: int
    head: str
    lines: list[bytes]

    def add(self, entries: Sequence[Mapping[str, object]]) -> None:
        """Append records, all or none, and wait until they are on disk.

        Raises:
            MissingArtefact: They cannot be written.
        """
        head, lines = self.head, list[bytes]()
        for fields in entries:
            number = len(self.lines) + len(lines) + 1
            entry = {"number": number, "at": time.time(), "uid": os.getuid(), **fields}
            line, head = chain(head, entry)
            lines.append(line)
        try:
            append_whole(self.handle, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            msg = f"{self.path}: the audit log cannot be written: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        self.head, self.lines = head, self.lines + lines

    def decodes(self, tenant: str, since: float) -> int:
        """Count the tokens of a tenant that were looked up since a time.

        All records are read, because a clock that was set back leaves times out of order.
        """
        records = (read_record(line) for line in self.lines)
        return sum(
            record["tenant"] == tenant and record["token"] != ""
            for record in records
            if float(str(record["at"])) >= since
        )


@contextmanager
def open_log(path: Path) -> Generator[Log]:
    """Open an audit log for appending, and lock out other processes.

    Raises:
        MissingArtefact: It cannot be opened or read.
        Refused: It is broken; nothing is re-identified until an operator has replaced it.
    """
    with _open_locked(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, fcntl.LOCK_EX) as (
        handle,
        content,
    ):
        lines = _split_lines(content)
        verdict = verify(lines)
        if verdict.broken:
            msg = f"{path}: record {verdict.broken} of the audit log is broken"
            raise Refused(msg + "; nothing is re-identified")
        yield Log(path, handle, verdict.head, lines)


def check_log(path: Path, head: str = START) -> str:
    """Verify an audit log; return its number of records and its head, as a line.

    Args:
        path: The log.
        head: A head that it must have had, from an earlier run; a truncated log has not.

    Raises:
        MissingArtefact: It cannot be read.
        Refused: A record is broken, or the log never had that head.
    """
    with _open_locked(path, os.O_RDONLY, fcntl.LOCK_SH) as (_, content):
        verdict = verify(_split_lines(content), head)
    if verdict.broken:
        msg = f"{path}: record {verdict.broken} is the first broken one"
        raise Refused(msg)
    if not verdict.seen:
        msg = f"{path}: has no record of the head {head[:12]}: it was truncated, or is another log"
        raise Refused(msg)
    return f"{verdict.records} records, whole; head {verdict.head}"


@contextmanager
def _open_locked(path: Path, flags: int, lock: int) -> Generator[tuple[int, bytes]]:
    try:
        handle = os.open(path, flags, OWNER)
    except OSError as error:
        msg = f"{path}: the audit log cannot be opened: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        yield handle, _read_locked(path, handle, lock)
    finally:
        os.close(handle)


def _read_locked(path: Path, handle: int, lock: int) -> bytes:
    try:
        fcntl.flock(handle, lock)
        # The process that held the lock may have moved the file; ours is then not the log.
        if not os.path.samestat(os.fstat(handle), path.stat()):
            msg = f"{path}: the audit log was replaced meanwhile; try again"
            raise MissingArtefact(msg)
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read()
    except OSError as error:
        msg = f"{path}: the audit log cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _split_lines(content: bytes) -> list[bytes]:
    """Split into records; a last line without its end was cut short and counts as broken."""
    *lines, last = content.split(b"\n")
    return [*lines, last + b"\n"] if last else lines
