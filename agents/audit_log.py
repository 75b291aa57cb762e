"""The audit log of re-identification: one line a token, each chained to the one before it."""

import fcntl
import os
import stat
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deidstream.models.audit_chain import START, chained, record_of, verify
from deidstream.schemas.errors import MissingArtefact, Refused

OWNER = stat.S_IRUSR | stat.S_IWUSR


@dataclass(slots=True)
class Log:
    """An audit log that is open, locked and whole."""

    handle: int
    head: str
    lines: list[bytes]

    def add(self, fields: Mapping[str, object]) -> None:
        """Append one record."""
        entry = {"number": len(self.lines) + 1, "at": time.time(), "uid": os.getuid(), **fields}
        line, self.head = chained(self.head, entry)
        self.lines.append(line)
        os.write(self.handle, line + b"\n")

    def settle(self) -> None:
        """Wait until all that was appended is on the disk."""
        os.fsync(self.handle)

    def decodes(self, tenant: str, since: float) -> int:
        """Count the tokens of a tenant that were looked up since a time."""
        count = 0
        for line in reversed(self.lines):
            record = record_of(line)
            if float(str(record["at"])) < since:
                break
            count += record["tenant"] == tenant and record["token"] != ""
        return count


@contextmanager
def locked(path: Path) -> Generator[Log]:
    """Open an audit log for appending; whoever comes meanwhile waits.

    Raises:
        MissingArtefact: It cannot be opened.
        Refused: It is broken: nothing more is decoded before somebody has looked.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER)
    except OSError as error:
        msg = f"{path}: the audit log cannot be opened: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        lines = path.read_bytes().splitlines()
        verdict = verify(lines)
        if verdict.broken:
            msg = f"{path}: record {verdict.broken} of the audit log is broken; nothing is decoded"
            raise Refused(msg)
        yield Log(handle, verdict.head, lines)
    finally:
        os.close(handle)


def check_log(path: Path, head: str = START) -> str:
    """Verify an audit log, and tell how many records it has and its head.

    Args:
        path: The log.
        head: One that it is to have had, as told before: a log that was cut short has not.

    Raises:
        MissingArtefact: It cannot be read.
        Refused: A record is broken, or the log has never had that head.
    """
    try:
        verdict = verify(path.read_bytes().splitlines(), head)
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    if verdict.broken:
        msg = f"{path}: record {verdict.broken} is the first broken one"
        raise Refused(msg)
    if not verdict.seen:
        msg = f"{path}: has no record of the head {head[:12]}: it was cut short, or is another log"
        raise Refused(msg)
    return f"{verdict.records} records, whole; head {verdict.head}"
