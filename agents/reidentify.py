"""Finds the originals behind listed surrogates, for those entitled, and says so in the audit log.

The log is written, and on the disk, before anything is shown: there is no decode without a record.
"""

import os
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import orjson

from deidstream.agents.audit_log import OWNER, Log, locked
from deidstream.agents.lines import read_lines
from deidstream.models.keyring import canonical
from deidstream.models.reversible import Original, Record, ReverseKeys, opened
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.stream.reverse import ReverseStore

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
            Refused: A part is empty, or requester and approver are one.
        """
        for name in ("tenant", "case", "requester", "approver"):
            if not str(getattr(self, name)).strip():
                msg = f"--{name}: must not be empty"
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
class Reidentifier:
    """Decodes under one key, and logs to one file."""

    store: ReverseStore
    root: bytes = field(repr=False)
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
        keys = ReverseKeys(self.root, warrant.tenant)
        names = [keys.name(token.output_id, token.text) for token in tokens]
        with locked(self.log) as log:
            self._refuse_haste(log, warrant, names)
            with _fresh(out) as shown:
                found = await self._found(log, warrant, keys, names)
                for name, record in zip(names, found, strict=True):
                    log.add(_entry(warrant, name, record))
                log.settle()
                for token, record in zip(tokens, found, strict=True):
                    os.write(shown, _shown(token, record.originals))
        return sum(bool(record.originals) for record in found)

    def _refuse_haste(self, log: Log, warrant: Warrant, names: Sequence[bytes]) -> None:
        since = time.time() - HOUR_SECONDS
        if log.decodes(warrant.tenant, since) + len(names) > self.hourly:
            log.add(_refusal(warrant, len(names), "rate"))
            log.settle()
            msg = (
                f"more than {self.hourly} tokens of this tenant in an hour; try later or list fewer"
            )
            raise Refused(msg)

    async def _found(
        self, log: Log, warrant: Warrant, keys: ReverseKeys, names: Sequence[bytes]
    ) -> list[Record]:
        try:
            return opened(keys, names, await self.store.find(names))
        except ValueError as error:
            log.add(_refusal(warrant, len(names), "unreadable"))
            log.settle()
            raise Refused(str(error)) from None


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
    finally:
        os.close(handle)


def _entry(warrant: Warrant, name: bytes, record: Record) -> dict[str, object]:
    outcome, count = "decoded" if record.originals else "unknown", len(record.originals)
    return _asked(warrant) | {
        "token": name.hex(),
        "count": count,
        "outcome": outcome,
        "policy": record.policy,
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


def _shown(token: Token, originals: Sequence[Original]) -> bytes:
    shown = [{"label": each.label, "text": each.text} for each in originals]
    fields = {"output_id": token.output_id, "text": token.text, "originals": shown}
    return orjson.dumps(fields) + b"\n"
