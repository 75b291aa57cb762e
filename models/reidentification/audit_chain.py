"""Chain the records of a log by hashes, so that a changed record breaks the chain.

Record ``i`` has the hash ``SHA-256(hash[i-1] || record[i])``; the first follows 32 zero bytes. Who
may rewrite the whole file may also make a new chain, and a file that is cut short is still whole:
both are noticed by a reader who kept an earlier *head*, the hash of the last record then.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import orjson

START = "0" * 64
"""The head of an empty log."""
_LINE = re.compile(rb'\{"hash":"([0-9a-f]{64})","record":(.*)\}', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of following a chain."""

    records: int
    """Whole records before the first broken one."""
    head: str
    """Hash of the last of them."""
    broken: int | None
    """Number of the first broken record, counted from 1."""
    seen: bool
    """Whether the head that was asked for is that of a whole record, or of the empty log."""


def chained(head: str, record: Mapping[str, object]) -> tuple[bytes, str]:
    """Chain a record to a log.

    Args:
        head: Hash of the record before it; :data:`START` where there is none.
        record: Fields of JSON.

    Returns:
        The line, without its line break, and the new head.
    """
    written = orjson.dumps(dict(record))
    digest = _hash(head, written)
    return b'{"hash":"' + digest.encode() + b'","record":' + written + b"}", digest


def verify(lines: Iterable[bytes], head: str = START) -> Verdict:
    """Follow the chain up to the first broken record.

    Args:
        lines: The lines of the log, without their line breaks.
        head: One that the log is to have had.
    """
    last, records, seen = START, 0, head == START
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None or _hash(last, found[2]) != found[1].decode():
            return Verdict(records, last, records + 1, seen)
        last, records = found[1].decode(), records + 1
        seen = seen or last == head
    return Verdict(records, last, None, seen)


def record_of(line: bytes) -> Mapping[str, object]:
    """Read the fields of a record of a whole log."""
    fields: dict[str, dict[str, object]] = orjson.loads(line)
    return fields["record"]


def _hash(head: str, record: bytes) -> str:
    return hashlib.sha256(bytes.fromhex(head) + record).hexdigest()
