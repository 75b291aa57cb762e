"""Find the originals behind listed surrogates, and record each look-up in the audit log.

The log is on disk before an original is written: there is no re-identification without a record.
"""

import os
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import orjson

from deidstream.agents.runtime.audit_log import Log, open_log
from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.private_files import OWNER, write_whole
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.models.keyring import canonical
from deidstream.models.reidentification.reversible_record import ReversibleKeys, ReversibleRecord
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.stream.redis.reversible_store import ReversibleStore

MOST_TOKENS = 1_000
MOST_CHARACTERS = 1_000
HOUR_SECONDS = 3_600


class Purpose(StrEnum):
    """Purpose of a re-identification: codes of HL7 version 3, PurposeOfUse."""

    TREAT = "TREAT"
    """Treatment."""
    ETREAT = "ETREAT"
    """Emergency treatment."""
    PATSFTY = "PATSFTY"
    """Patient safety."""
    PATRQT = "PATRQT"
    """Request of the patient."""
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
    """Who requests, who approved, and for which purpose."""

    tenant: str
    purpose: Purpose
    case: str
    requester: str
    approver: str

    def __post_init__(self) -> None:
        """Require a requester and a different approver.

        Raises:
            Refused: A part is empty or not printable, or requester and approver are the same.
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
        Refused: A line is not a token, or there is no token, or there are too many.
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
class TokenLookup:
    """The result of looking up one token."""

    name: bytes
    """Name of its record; without a record, its name under the key in force."""
    version: int
    """Version of the key that sealed the record."""
    record: ReversibleRecord = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reidentifier:
    """Looks up tokens under all keys, and logs to one file."""

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
            Unavailable: Redis cannot be reached.
        """
        with open_log(self.log) as log:
            self._refuse_over_rate(log, warrant, len(tokens))
            with _new_file(out) as shown:
                found = await self._find_and_log(log, warrant, tokens)
                pairs = zip(tokens, found, strict=True)
                write_whole(
                    shown, b"".join(_encode_answer(token, each.record) for token, each in pairs)
                )
        return sum(bool(each.record.originals) for each in found)

    def _refuse_over_rate(self, log: Log, warrant: Warrant, asked: int) -> None:
        since = time.time() - HOUR_SECONDS
        if log.decodes(warrant.tenant, since) + asked > self.hourly:
            log.add([_refusal(warrant, asked, "rate")])
            msg = (
                f"more than {self.hourly} tokens of this tenant in an hour; try later or list fewer"
            )
            raise Refused(msg)

    async def _find_and_log(
        self, log: Log, warrant: Warrant, tokens: Sequence[Token]
    ) -> list[TokenLookup]:
        try:
            found = await self._find(warrant.tenant, tokens)
        except ValueError as error:
            log.add([_refusal(warrant, len(tokens), "unreadable")])
            raise Refused(str(error)) from None
        log.add([_entry(warrant, each) for each in found])
        return found

    async def _find(self, tenant: str, tokens: Sequence[Token]) -> list[TokenLookup]:
        newest_first = sorted(self.keys.roots, reverse=True)
        rings = {v: ReversibleKeys(self.keys.roots[v], tenant) for v in newest_first}
        names = [(v, ring.name(t.output_id, t.text)) for t in tokens for v, ring in rings.items()]
        values = await self.store.find([name for _, name in names])
        # One row for each token; a record is stored under at most one of the keys.
        rows = zip(*[iter(zip(names, values, strict=True))] * len(rings), strict=True)
        return [_open_record(rings, row) for row in rows]


Lookup = tuple[tuple[int, bytes], bytes | None]
"""A key version, the name of a record under it, and the stored value."""


def _open_record(rings: Mapping[int, ReversibleKeys], row: Sequence[Lookup]) -> TokenLookup:
    for (version, name), value in row:
        if value is not None:
            return TokenLookup(name, version, rings[version].unseal(name, value))
    (version, name), _ = row[0]
    return TokenLookup(name, version, ReversibleRecord())


@contextmanager
def _new_file(path: Path) -> Generator[int]:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER)
    except OSError as error:
        msg = f"{path}: cannot be created: {type(error).__name__}"
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


def _entry(warrant: Warrant, found: TokenLookup) -> dict[str, object]:
    count = len(found.record.originals)
    return _warrant_fields(warrant) | {
        "token": found.name.hex(),
        "key_version": found.version,
        "count": count,
        "outcome": "decoded" if count else "unknown",
        "policy": found.record.policy,
    }


def _refusal(warrant: Warrant, count: int, why: str) -> dict[str, object]:
    return _warrant_fields(warrant) | {"token": "", "count": count, "outcome": f"refused: {why}"}


def _warrant_fields(warrant: Warrant) -> dict[str, object]:
    return {
        "tenant": warrant.tenant,
        "purpose": warrant.purpose,
        "case": warrant.case,
        "requester": warrant.requester,
        "approver": warrant.approver,
    }


def _encode_answer(token: Token, record: ReversibleRecord) -> bytes:
    shown = [{"label": each.label, "text": each.text} for each in record.originals]
    fields = {"output_id": token.output_id, "text": token.text, "originals": shown}
    return orjson.dumps(fields) + b"\n"
