"""Finds the originals behind listed surrogates, for those entitled, and says so in the audit log.

The log is written, and on the disk, before anything is shown: there is no decode without a record.
"""

import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import orjson

from deidstream.agents.lines import read_lines
from deidstream.agents.reidentification.audit_log import OWNER, Log, locked, write_whole
from deidstream.agents.root_keys import RootKeys
from deidstream.models.keyring import canonical
from deidstream.models.reidentification.reversible_record import Record, ReverseKeys
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.stream.reversible_store import ReversibleStore

MOST_TOKENS = 1_000
MOST_CHARACTERS = 1_000
HOUR_SECONDS = 3_600


class Purpose(StrEnum):
    """Why somebody re-identifies: codes of HL7 version 3, PurposeOfUse."""

    TREAT = "TREAT"
    """Treatment."""
    ETREAT = "ETREAT"
    """Emergency treatment."""
    PATSFTY = "PATSFTY"
    """Patient safety."""
    PATRQT = "PATRQT"
    """The patient asks."""
    PUBHLTH = "PUBHLTH"
    """Public health."""
    HRESCH = "HRESCH"
    """Research."""
    HOPERAT = "HOPERAT"
    """Operations, such as quality."""
    HLEGAL = "HLEGAL"
    """A legal duty."""


@dataclass(frozen=True, slots=True)
class Warrant:
    """Who asks, who has approved, and what for."""

    tenant: str
    purpose: Purpose
    case: str
    requester: str
    approver: str

    def __post_init__(self) -> None:
        """Refuse what one person alone wants.

        Raises:
            Refused: A part is empty or cannot be shown, or requester and approver are one.
        """
        for name in ("tenant", "case", "requester", "approver"):
            value = str(getattr(self, name))
            if not (value.strip() and value.isprintable()):
                msg = f"--{name}: must not be empty, and must be printable"
                raise Refused(msg)
        if canonical(self.requester) == canonical(self.approver):
            msg = "--approver: must be another person than --requester"
            raise Refused(msg)


@dataclass(frozen=True, slots=True)
class Token:
    """One surrogate of one output."""

    output_id: str
    text: str = field(repr=False)


def read_tokens(path: Path) -> list[Token]:
    """Read lines ``{"output_id": ..., "text": ...}``, each once.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: A line is no token, or there are none or too many.
    """
    tokens: dict[Token, None] = {}
    for number, line in read_lines(path):
        tokens[_token(path, number + 1, line)] = None
        if len(tokens) > MOST_TOKENS:
            msg = f"{path}: lists more than {MOST_TOKENS} tokens"
            raise Refused(msg)
    if not tokens:
        msg = f"{path}: lists no tokens"
        raise Refused(msg)
    return list(tokens)


def _token(path: Path, number: int, line: bytes) -> Token:
    try:
        fields = orjson.loads(line)
        output_id, text = fields["output_id"], fields["text"]
        if all(_is_short(each) for each in (output_id, text)):
            return Token(output_id, text)
    except (orjson.JSONDecodeError, KeyError, TypeError):
        pass
    msg = f"{path}:{number}: must be an object with output_id and text"
    raise Refused(msg)


def _is_short(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one token."""

    name: bytes
    """Of its record; under the key in force where there is none."""
    version: int
    """Of the key that has sealed it."""
    record: Record = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reidentifier:
    """Decodes under the keys that are kept, and logs to one file."""

    store: ReversibleStore
    keys: RootKeys = field(repr=False)
    log: Path
    hourly: int

    async def reidentify(self, warrant: Warrant, tokens: Sequence[Token], out: Path) -> int:
        """Write the originals of tokens to a new file of mode 0600.

        Returns:
            How many tokens have originals.

        Raises:
            Refused: The log is broken, the rate limit is reached, or a record cannot be opened.
            MissingArtefact: The log or the output cannot be written.
            Unavailable: Redis is away.
        """
        with locked(self.log) as log:
            self._refuse_haste(log, warrant, len(tokens))
            with _fresh(out) as shown:
                found = await self._logged(log, warrant, tokens)
                pairs = zip(tokens, found, strict=True)
                write_whole(shown, b"".join(_shown(token, each.record) for token, each in pairs))
        return sum(bool(each.record.originals) for each in found)

    def _refuse_haste(self, log: Log, warrant: Warrant, asked: int) -> None:
        since = time.time() - HOUR_SECONDS
        if log.decodes(warrant.tenant, since) + asked > self.hourly:
            log.add([_refusal(warrant, asked, "rate")])
            msg = (
                f"more than {self.hourly} tokens of this tenant in an hour; try later or list fewer"
            )
            raise Refused(msg)

    async def _logged(self, log: Log, warrant: Warrant, tokens: Sequence[Token]) -> list[Found]:
        try:
            found = await self._found(warrant.tenant, tokens)
        except ValueError as error:
            log.add([_refusal(warrant, len(tokens), "unreadable")])
            raise Refused(str(error)) from None
        log.add([_entry(warrant, each) for each in found])
        return found

    async def _found(self, tenant: str, tokens: Sequence[Token]) -> list[Found]:
        newest_first = sorted(self.keys.roots, reverse=True)
        rings = {v: ReverseKeys(self.keys.roots[v], tenant) for v in newest_first}
        names = [(v, ring.name(t.output_id, t.text)) for t in tokens for v, ring in rings.items()]
        values = await self.store.find([name for _, name in names])
        # A row for each token: its record, if it has one, is under one of the keys.
        rows = zip(*[iter(zip(names, values, strict=True))] * len(rings), strict=True)
        return [_opened(rings, row) for row in rows]


Kept = tuple[tuple[int, bytes], bytes | None]
"""A key version and a name under it, and the value that the store has there."""


def _opened(rings: Mapping[int, ReverseKeys], row: Sequence[Kept]) -> Found:
    for (version, name), value in row:
        if value is not None:
            return Found(name, version, rings[version].unseal(name, value))
    (version, name), _ = row[0]
    return Found(name, version, Record())


@contextmanager
def _fresh(path: Path) -> Generator[int]:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER)
    except OSError as error:
        msg = f"{path}: cannot be made anew: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        with ExitStack() as unless_whole:
            unless_whole.callback(path.unlink)
            yield handle
            unless_whole.pop_all()
    except OSError as error:
        msg = f"{path}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    finally:
        os.close(handle)


def _entry(warrant: Warrant, found: Found) -> dict[str, object]:
    count = len(found.record.originals)
    return _asked(warrant) | {
        "token": found.name.hex(),
        "key_version": found.version,
        "count": count,
        "outcome": "decoded" if count else "unknown",
        "policy": found.record.policy,
    }


def _refusal(warrant: Warrant, count: int, why: str) -> dict[str, object]:
    return _asked(warrant) | {"token": "", "count": count, "outcome": f"refused: {why}"}


def _asked(warrant: Warrant) -> dict[str, object]:
    return {
        "tenant": warrant.tenant,
        "purpose": warrant.purpose,
        "case": warrant.case,
        "requester": warrant.requester,
        "approver": warrant.approver,
    }


def _shown(token: Token, record: Record) -> bytes:
    shown = [{"label": each.label, "text": each.text} for each in record.originals]
    fields = {"output_id": token.output_id, "text": token.text, "originals": shown}
    return orjson.dumps(fields) + b"\n"
