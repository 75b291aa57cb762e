"""Read an archive once and cut it into shards: every patient in one, all of about one size."""

import random
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import heappop, heappush
from typing import Any

from deidstream.agents.archive.input_ids import (
    InputId,
    find_replaced,
    write_ids,
)
from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.archive.job_plan import JobPlan, Shard, SinkKind
from deidstream.agents.archive.note_identity import IdentityDigests, digest_message, identify
from deidstream.agents.archive.sealed_notes import BucketWriter, Seal
from deidstream.agents.note_files.files import identify_makers
from deidstream.agents.note_files.note_source import InputNote, NoteSource
from deidstream.agents.runtime.progress_bar import ProgressLines, progress
from deidstream.agents.runtime.service import Service
from deidstream.agents.settings import Settings
from deidstream.models.keyring import join_prefixed
from deidstream.schemas.outcome import Failed
from deidstream.stream.redis.memory_store import MemorySurrogateStore

SAMPLE_NOTES = 256
"""Notes of the archive by which its speed is measured."""
_BUCKETS_PER_SHARD = 4
_FEWEST, _MOST = 100, 20_000
"""Notes of a shard, unless somebody states them: a shard is what a kill loses."""
_SHARDS = 200
_IDS_TOGETHER = 4_096


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What somebody has asked for."""

    sink: SinkKind
    out: str
    policy: str | None
    shard_notes: int | None = None
    """Notes of a shard, about; by default chosen by their number."""


@dataclass(slots=True)
class _Split:
    """The notes as they are spread over buckets."""

    job: JobFolder
    buckets: BucketWriter
    digests: IdentityDigests
    count: int
    """Number of buckets."""
    limit_bytes: int
    notes: dict[int, int] = field(default_factory=dict[int, int])
    """By bucket."""
    sample: list[bytes] = field(default_factory=list[bytes], repr=False)
    total: int = 0
    _input: Any = field(default_factory=sha256)
    _ids: dict[int, list[bytes]] = field(default_factory=dict[int, list[bytes]])
    _random: random.Random = field(default_factory=lambda: random.Random(0))

    def add(self, note: InputNote) -> None:
        """Put a note into the bucket of its patient; one without a patient, into any."""
        self._hash(note)
        message = note.message
        identity = identify(message, self.limit_bytes) if isinstance(message, bytes) else None
        if identity is None or isinstance(message, Failed):
            bucket, packed = note.place % self.count, InputId(note.place, None)
        else:
            bucket = self.digests.patient(identity) % self.count
            packed = InputId(
                note.place,
                self.digests.note(identity),
                identity.age,
                content=digest_message(message),
            )
        self.buckets.add(bucket, self.job.bucket_file(bucket), note)
        self._ids.setdefault(bucket, []).append(packed.pack(bucket))
        self.notes[bucket] = self.notes.get(bucket, 0) + 1
        self.total += 1
        self._draw(note.message)
        if self.total % _IDS_TOGETHER == 0:
            self._write_ids()

    def finish(self) -> str:
        """Write what is in memory; return the digest of all that was read."""
        self.buckets.flush()
        self._write_ids()
        return str(self._input.hexdigest())

    def _hash(self, note: InputNote) -> None:
        message = note.message
        read = f"{message.reason} {message.fault}" if isinstance(message, Failed) else message
        self._input.update(join_prefixed(str(note.place), read))

    def _draw(self, message: bytes | Failed) -> None:
        if isinstance(message, Failed):
            return
        if len(self.sample) < SAMPLE_NOTES:
            self.sample.append(message)
        elif (place := self._random.randrange(self.total)) < SAMPLE_NOTES:
            self.sample[place] = message

    def _write_ids(self) -> None:
        for bucket, packed in self._ids.items():
            write_ids(self.job.id_file(bucket), packed)
        self._ids.clear()


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """A plan that has been written, and notes to measure the speed by."""

    plan: JobPlan
    sample: tuple[bytes, ...] = field(repr=False)
    replaced: int
    """Rows that another one of the same note stands in place of."""
    unknown: int
    """Those of them of which nothing says which is meant."""

    def describe(self) -> str:
        """Return what was found, in a line."""
        shards = self.plan.shards
        sizes = [shard.notes for shard in shards] or [0]
        said = f"{self.plan.notes:,} notes in {len(shards):,} shards"
        said += f" of {min(sizes):,} to {max(sizes):,}"
        if self.replaced:
            said += f"; {self.replaced:,} rows have the id of another one"
        if self.unknown:
            said += f", {self.unknown:,} of them with another text: quarantined"
        return said


def make_plan(
    job: JobFolder,
    source: NoteSource,
    settings: Settings,
    service: Service,
    request: PlanRequest,
) -> PlannedJob:
    """Read the notes into a job folder, and write its plan last.

    Args:
        job: The folder, which has been made.
        source: The notes.
        settings: All settings.
        service: What will make the outputs.
        request: What was asked for.

    Raises:
        MissingArtefact: The notes cannot be read.
        OSError: There is no room.
    """
    expected = source.count()
    count = _choose_buckets(expected or 0, request.shard_notes)
    root = service.pipeline.record_builder.root
    job_id = secrets.token_hex(8)
    split = _Split(
        job,
        BucketWriter(Seal.of(root, settings.key.version, job_id)),
        IdentityDigests(service, settings.key.version),
        count,
        settings.worker.note_bytes,
    )
    for note in _show(source.read(), expected):
        split.add(note)
    digest = split.finish()
    replaced = [*find_replaced([job.id_file(bucket) for bucket in split.notes], split.total)]
    by_bucket: dict[int, dict[int, bool]] = {}
    for row in replaced:
        by_bucket.setdefault(row.bucket, {})[row.place] = row.unknown
    job.write_replaced(by_bucket)
    plan = JobPlan(
        job_id=job_id,
        unit=source.unit,
        notes=split.total,
        input_digest=digest,
        made_by=identify_makers(settings, service),
        sink=request.sink,
        out=request.out,
        policy=request.policy,
        key_file=settings.key.file,
        redis=not isinstance(service.store, MemorySurrogateStore),
        shards=balance(split.notes, split.buckets.sizes, -(-count // _BUCKETS_PER_SHARD)),
    )
    unknown = sum(row.unknown for row in replaced)
    return PlannedJob(plan, tuple(split.sample), len(replaced), unknown)


def _choose_buckets(notes: int, shard_notes: int | None) -> int:
    wanted = shard_notes or min(_MOST, max(_FEWEST, notes // _SHARDS))
    return max(1, -(-notes // wanted)) * _BUCKETS_PER_SHARD


def balance(notes: Mapping[int, int], sizes: Mapping[int, int], shards: int) -> tuple[Shard, ...]:
    """Share out buckets, the largest first, each to the shard that has least; largest shard first.

    Args:
        notes: The notes of each bucket.
        sizes: The bytes of each bucket.
        shards: How many shards there may be.
    """
    shares: list[list[int]] = [[] for _ in range(shards)]
    least = [(0, place) for place in range(shards)]
    for bucket in sorted(sizes, key=lambda each: (-sizes[each], each)):
        size, place = heappop(least)
        shares[place].append(bucket)
        heappush(least, (size + sizes[bucket], place))
    filled = [sorted(share) for share in shares if share]
    filled.sort(key=lambda share: (-sum(sizes[each] for each in share), share))
    return tuple(
        Shard(
            number,
            tuple(share),
            sum(notes[each] for each in share),
            sum(sizes[each] for each in share),
        )
        for number, share in enumerate(filled)
    )


def _show(notes: Iterator[InputNote], total: int | None) -> Iterator[InputNote]:
    lines = ProgressLines("plan", total, 0)
    with progress() as bar:
        task = bar.add_task("plan", total=total)
        for note in notes:
            yield note
            bar.advance(task)
            lines.advance(1)
