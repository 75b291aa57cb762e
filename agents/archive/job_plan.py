"""The plan of an archive job: what is read, how it is cut into shards, and what makes the outputs.

A job folder belongs to one fingerprint: that of the policies, the key, the software and models, the
notes that were read, the shards and the place of the outputs. Whatever differs is refused, so that
no archive is of two kinds.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.note_files.resume import digest_parts
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_FORMAT = 1
_FINGERPRINT_DIGITS = 16


class SinkKind(StrEnum):
    """Where the outputs go."""

    PARQUET = "parquet"
    """A file for each shard."""
    JSONL = "jsonl"
    """The same, a row a line."""
    DELTA = "delta"
    """A Delta Lake table, one commit a shard."""
    POSTGRES = "postgres"
    """PostgreSQL, one transaction a shard."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the notes, with all notes of each of its patients."""

    number: int
    buckets: tuple[int, ...]
    """The files of notes that it consists of."""
    notes: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class JobPlan:
    """What a job does; it holds no text and no id."""

    job_id: str
    """Drawn for this job; the notes that wait are sealed under it."""
    unit: str
    """What the places of notes count: ``line``, ``row``, ``note`` or ``file``."""
    notes: int
    input_digest: str
    made_by: Mapping[str, str]
    """Digests of what makes the outputs, by what is said where one differs."""
    sink: SinkKind
    out: str
    """The folder of the outputs, or the schema of PostgreSQL."""
    policy: str | None
    key_file: str
    redis: bool
    """Whether surrogates are kept in Redis."""
    shards: tuple[Shard, ...]

    @property
    def fingerprint(self) -> str:
        """Name everything on which the outputs depend."""
        layout = [(shard.number, shard.buckets, shard.notes) for shard in self.shards]
        made_by = sorted(self.made_by.items())
        parts = (made_by, self.input_digest, self.notes, layout, self.sink, self.out)
        return digest_parts(*parts)[:_FINGERPRINT_DIGITS]

    def refuse_other(self, made_by: Mapping[str, str]) -> None:
        """Refuse what would make other outputs than those of the job.

        Raises:
            InvalidSettings: Something is not as it was planned.
        """
        differ = [name for name, digest in self.made_by.items() if made_by.get(name) != digest]
        if differ:
            msg = f"the job was planned with others of: {', '.join(differ)}; plan another job"
            raise InvalidSettings(msg)

    def write(self, path: Path) -> None:
        """Write the plan, at once or not at all."""
        state = {"format": _FORMAT, "fingerprint": self.fingerprint, **asdict(self)}
        write_whole(path, orjson.dumps(state, option=orjson.OPT_INDENT_2))

    @classmethod
    def read(cls, path: Path) -> "JobPlan":
        """Read a plan.

        Raises:
            MissingArtefact: There is none.
            InvalidSettings: It is of another version, or has been changed.
        """
        try:
            state: dict[str, Any] = orjson.loads(path.read_bytes())
        except FileNotFoundError:
            msg = f"{path.parent}: has no plan; make one with 'deidstream archive plan'"
            raise MissingArtefact(msg) from None
        if state.pop("format") != _FORMAT:
            msg = f"{path}: another version has written it"
            raise InvalidSettings(msg)
        stated = state.pop("fingerprint")
        shards: Sequence[dict[str, Any]] = state.pop("shards")
        read = [Shard(buckets=tuple(each.pop("buckets")), **each) for each in shards]
        sink = SinkKind(state.pop("sink"))
        plan = cls(**state, sink=sink, shards=tuple(read))
        if plan.fingerprint != stated:
            msg = f"{path}: has been changed since it was planned"
            raise InvalidSettings(msg)
        return plan


def write_whole(path: Path, content: bytes) -> None:
    """Write a small file, so that a crash leaves it as it was or as it is to be."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
