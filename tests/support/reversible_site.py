"""A Redis with the users that re-identification asks for, and what each role does with it."""

import asyncio
import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import redis

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.reversible_rights import FORGETTER, READER, WRITER
from deidstream.stream.redis.reversible_store import PATIENTS, PREFIX, PROBE
from support.pipeline import pipeline, service
from support.redis_server import Redis, running_redis

TEXT = "Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Odalys Brightwater."
SURROGATES = (
    "on >SECRET resetkeys ~deid:of:* ~deid:marks ~deid:epochs ~deid:key:* "
    "-@all +hget +hmget +hsetnx +hincrby +get +set +ping +info "
    "(~deid:engines -@all +hsetnx +hgetall)"
)


USERS = {
    "writer": WRITER,
    "reader": READER,
    "surrogates": SURROGATES,
    "forgetter": FORGETTER,
    "forgetting": SURROGATES + " +hlen +del +multi +exec",
}


@cache
def quick() -> Pipeline:
    """A pipeline that runs no model on the note."""
    some = frozenset({RecognizerName.RULES, RecognizerName.DICTIONARY})
    return pipeline(policy=replace(read_shipped_policy("surrogate"), recognizers=some))


def command(client: "redis.Redis") -> Callable[..., object]:
    """What sends any command."""
    return cast("Callable[..., object]", client.execute_command)


@dataclass(frozen=True, slots=True)
class Site:
    """A Redis with the users that the manual asks for, keys, and settings for each role."""

    server: Redis
    folder: Path

    def url(self, user: str, database: int = 1) -> str:
        return f"redis://{user}:secret@127.0.0.1:{self.server.port}/{database}"

    def environment(self, user: str) -> dict[str, str]:
        surrogates = "forgetting" if user == "forgetter" else "surrogates"
        return {
            "DEIDSTREAM_REDIS_URL": self.url(surrogates, 0),
            "DEIDSTREAM_KEY_FILE": str(self.folder / "key"),
            "DEIDSTREAM_REVERSE_REDIS_URL": self.url(user),
            "DEIDSTREAM_REVERSE_KEY_FILE": str(self.folder / "reverse"),
            "DEIDSTREAM_REVERSE_LOG": str(self.folder / "log"),
        }

    def settings(self, user: str = "writer", **more: str) -> Settings:
        return read_settings(self.environment(user) | more)

    def admin(self) -> "redis.Redis":
        return redis.Redis(port=self.server.port, db=1)

    def acl(self, user: str, rules: str) -> None:
        words = rules.replace("SECRET", "secret").split()
        command(self.admin())("ACL", "SETUSER", user, "reset", *words)

    def users(self) -> None:
        """Make the users of the manual."""
        for user, rules in USERS.items():
            self.acl(user, rules)

    def names(self) -> set[bytes]:
        """The names of all records that Redis has."""
        found = cast("list[bytes]", self.admin().keys(PREFIX + b"*"))
        return {name for name in found if not name.startswith(PREFIX + PROBE)}

    def lists(self) -> set[bytes]:
        """The names of the lists of all patients."""
        return set(cast("list[bytes]", self.admin().keys(PATIENTS + b"*"))) - {PATIENTS + PROBE}

    def kept(
        self, tenant: str = "mercy", patient: str = "P1", note: str = "n1", **more: str
    ) -> Anonymized:
        """Have the worker's half run over one note."""
        value = encode_note(RawNote(note, patient, TEXT, tenant=tenant))

        async def run() -> Outcome:
            writer = await ReversibleWriter.connect(self.settings(**more), Health(60))
            assert writer is not None
            (outcome,) = await service(quick()).run([value])
            await writer.write([value], [outcome])
            await writer.store.close()
            return outcome

        outcome = asyncio.run(run())
        assert isinstance(outcome, Anonymized)
        return outcome

    def tokens(self, outcome: Anonymized, *texts: str) -> Path:
        path = self.folder / "tokens.jsonl"
        output = outcome.note.output_id
        path.write_text("\n".join(json.dumps({"output_id": output, "text": t}) for t in texts))
        return path

    def reidentify(self, tokens: Path, **changed: str) -> int:
        flags = {"tenant": "mercy", "purpose": "TREAT", "case": "C-7", "requester": "ann"} | {
            "approver": "bob",
            "out": str(self.folder / "out.jsonl"),
        }
        words = [w for name, value in (flags | changed).items() for w in (f"--{name}", value)]
        return main(["reidentify", str(tokens), *words])

    def forget(self, *patients: str, tenant: str = "mercy") -> int:
        path = self.folder / "patients"
        path.write_text("\n".join(patients))
        return main(["vault", "forget", "--patient-id-file", str(path), "--tenant", tenant])

    def out(self) -> list[dict[str, Any]]:
        path = self.folder / "out.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.unlink()
        return lines

    def log(self) -> list[dict[str, Any]]:
        lines = (self.folder / "log").read_text().splitlines()
        return [json.loads(line)["record"] for line in lines]


@contextmanager
def running_site(
    folder: Path, *, appendonly: bool = False, options: tuple[str, ...] = ()
) -> Generator[Site]:
    """Run a Redis in a new folder, with the users of the manual and keys."""
    home = folder / "redis"
    home.mkdir()
    with running_redis(home, appendonly=appendonly, options=options) as server:
        made = Site(server, folder)
        made.users()
        write_key(folder / "key")
        write_key(folder / "reverse")
        yield made


def surrogate_of(outcome: Anonymized, original: str) -> str:
    return next(
        r.text
        for r in outcome.note.permit.replacements
        if TEXT[r.span.start : r.span.end] == original
    )
