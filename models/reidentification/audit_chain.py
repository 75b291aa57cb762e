"""A log in which each record is chained to the one before it, so that a change breaks the chain.

Record ``i`` has the hash ``SHA-256(hash[i-1] || record[i])``; the first follows 32 zero bytes. A
process that may rewrite the whole file can make a new chain, and a truncated file has an intact
chain. To notice both, keep an earlier *head*, the hash of the last record at that time.
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
    """The result of verifying a log."""

    records: int
    """Number of intact records before the first broken one."""
    head: str
    """Hash of the last intact record."""
    broken: int | None
    """Number of the first broken record, counted from 1."""
    seen: bool
    """Whether the requested head is that of an intact record, or of the empty log."""


def chain(head: str, record: Mapping[str, object]) -> tuple[bytes, str]:
    """Chain a record to a log.

    Args:
        head: Hash of the record before it; :data:`START` for the first record.
        record: JSON fields.

    Returns:
        The line, without its line break, and the new head.
    """
    written = orjson.dumps(dict(record))
    digest = _hash(head, written)
    return b'{"hash":"' + digest.encode() + b'","record":' + written + b"}", digest


def verify(lines: Iterable[bytes], head: str = START) -> Verdict:
    """Follow the chain up to the first broken record.

    Args:
        lines: Lines of the log, without line breaks.
        head: A head that the log must have had.
    """
    last, records, seen = START, 0, head == START
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None or _hash(last, found[2]) != found[1].decode():
            return Verdict(records, last, records + 1, seen)
        last, records = found[1].decode(), records + 1
        seen = seen or last == head
    return Verdict(records, last, None, seen)


def read_record(line: bytes) -> Mapping[str, object]:
    """Read the fields of an intact record."""
    fields: dict[str, dict[str, object]] = orjson.loads(line)
    return fields["record"]


def _hash(head: str, record: bytes) -> str:
    return hashlib.sha256(bytes.fromhex(head) + record).hexdigest()
