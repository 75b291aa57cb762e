"""The folder of an archive job: its plan, the notes that wait, and which shards are done."""

import fcntl
import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from deidstream.agents.archive.job_plan import JobPlan, Shard, write_whole
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_OWNER_ALONE = 0o700


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """What a shard has become, once its outputs are committed."""

    shard: int
    fingerprint: str
    notes: int
    outputs: int
    levels: Mapping[str, int]
    """Outputs by their risk level."""
    retracted: int
    superseded: int
    """Rows that another row of the input with the same id stands in place of."""
    quarantined: Mapping[str, int]
    """By reason, stage and field."""
    first: Mapping[str, int]
    """The first place of each, from 1."""
    digest: str
    """Of the rows of the outputs."""
    seconds: float


@dataclass(frozen=True, slots=True)
class JobFolder:
    """Where a job keeps everything but its outputs. It holds sealed notes until they are done."""

    path: Path

    @property
    def plan_file(self) -> Path:
        """Where the plan is."""
        return self.path / "plan.json"

    @property
    def notes(self) -> Path:
        """Where the notes wait, sealed, in a file for each bucket."""
        return self.path / "notes"

    @property
    def ids(self) -> Path:
        """Where the pseudonyms of the ids are, in a file for each bucket."""
        return self.path / "ids"

    @property
    def progress(self) -> Path:
        """Where each process says how far it is."""
        return self.path / "progress"

    def make(self) -> None:
        """Make the folder for a plan; what a plan that was cut off has left is deleted.

        Raises:
            InvalidSettings: It has a plan.
            MissingArtefact: It cannot be made.
        """
        if self.plan_file.exists():
            msg = f"{self.path}: has a plan: 'deidstream archive run' goes on with it"
            raise InvalidSettings(msg)
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=_OWNER_ALONE)
            for folder in (self.notes, self.ids, self.progress, self._done, self._locks):
                folder.mkdir(exist_ok=True, mode=_OWNER_ALONE)
                for left in folder.iterdir():
                    left.unlink()
        except OSError as error:
            msg = f"{self.path}: cannot be a job folder: {type(error).__name__}"
            raise MissingArtefact(msg) from None

    def read_plan(self) -> JobPlan:
        """Read the plan.

        Raises:
            MissingArtefact: There is none.
            InvalidSettings: It is of another version, or has been changed.
        """
        return JobPlan.read(self.plan_file)

    def find_record(self, shard: int) -> ShardRecord | None:
        """Return what a shard has become; nothing if it is not done."""
        try:
            return ShardRecord(**orjson.loads(self._record_file(shard).read_bytes()))
        except FileNotFoundError:
            return None

    def list_done(self) -> frozenset[int]:
        """Return the numbers of the shards that are done."""
        return frozenset(int(path.stem) for path in self._done.glob("*.json"))

    def records(self) -> Iterator[ShardRecord]:
        """Yield what all shards have become that are done."""
        for path in sorted(self._done.glob("*.json")):
            yield ShardRecord(**orjson.loads(path.read_bytes()))

    def finish(self, shard: Shard, record: ShardRecord) -> None:
        """Say that the outputs of a shard are committed, and delete its notes."""
        write_whole(self._record_file(shard.number), orjson.dumps(record))
        for bucket in shard.buckets:
            self.bucket_file(bucket).unlink(missing_ok=True)

    @contextmanager
    def lock(self, shard: int) -> Generator[bool]:
        """Lock a shard, unless another process has it; the kernel unlocks what a dead one had."""
        handle = os.open(self._locks / f"{shard:06}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            locked = True
        except BlockingIOError:
            locked = False
        try:
            yield locked
        finally:
            os.close(handle)

    def bucket_file(self, bucket: int) -> Path:
        """Return where the notes of a bucket wait."""
        return self.notes / f"{bucket:06}.sealed"

    def id_file(self, bucket: int) -> Path:
        """Return where the pseudonyms of a bucket are."""
        return self.ids / f"{bucket:06}.ids"

    def write_replaced(self, replaced: Mapping[int, Mapping[int, bool]]) -> None:
        """Write which places give way to another row of the same id.

        Args:
            replaced: By bucket and place, whether it is unknown which of the rows is meant.
        """
        for bucket, places in replaced.items():
            listed = [[place, unknown] for place, unknown in sorted(places.items())]
            write_whole(self._replaced_file(bucket), orjson.dumps(listed))

    def read_replaced(self, shard: Shard) -> dict[int, bool]:
        """Read what was written of the buckets of a shard."""
        found: dict[int, bool] = {}
        for bucket in shard.buckets:
            path = self._replaced_file(bucket)
            if path.exists():
                found.update(orjson.loads(path.read_bytes()))
        return found

    @property
    def _done(self) -> Path:
        return self.path / "done"

    @property
    def _locks(self) -> Path:
        return self.path / "locks"

    def _record_file(self, shard: int) -> Path:
        return self._done / f"{shard:06}.json"

    def _replaced_file(self, bucket: int) -> Path:
        return self.ids / f"{bucket:06}.replaced.json"
