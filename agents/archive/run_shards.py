"""Do the shards of a job in this process, one after another, until none is left to take."""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.archive.job_plan import JobPlan, Shard
from deidstream.agents.archive.note_identity import identify
from deidstream.agents.archive.process_progress import ProcessProgress
from deidstream.agents.archive.sealed_notes import Seal, read_bucket
from deidstream.agents.archive.shard_rows import DUPLICATE, ShardRows
from deidstream.agents.archive.shard_sink import ShardSink
from deidstream.agents.note_files.files import run_notes
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.runtime.plans_ahead import group_patients
from deidstream.agents.runtime.service import Service

CHUNK = 64
"""Notes that are in work together, and more where a patient has more."""


@dataclass(frozen=True, slots=True)
class ShardShare:
    """Which shards are done here: every ``count``-th, from ``index`` on."""

    index: int = 0
    count: int = 1

    def choose(self, shards: Sequence[Shard]) -> Sequence[Shard]:
        """Return the shards of this share, the largest first."""
        return shards[self.index :: self.count]


@dataclass(frozen=True, slots=True)
class ShardRunner:
    """Brings the notes of shards to their outcomes, and commits them."""

    job: JobFolder
    plan: JobPlan
    make_service: Callable[[], Service]
    """Makes the service of a shard. Without Redis each has surrogates of its own, so that the
    outputs of a shard do not depend on which others were done in the same process."""
    sink: ShardSink
    seal: Seal
    progress: ProcessProgress

    async def run(self, share: ShardShare) -> None:
        """Do every shard of a share that is not done and that no other process has.

        Raises:
            Refused: The notes of a shard cannot be read, or Redis may not be used.
            OSError: There is no room; the shard is not committed.
            Unavailable: A database of outputs cannot be reached.
        """
        for shard in share.choose(self.plan.shards):
            if self.job.find_record(shard.number):
                continue
            with self.job.lock(shard.number) as locked:
                # Whoever had it may have finished it since it was looked for.
                if locked and not self.job.find_record(shard.number):
                    await self._run_shard(shard)

    async def _run_shard(self, shard: Shard) -> None:
        started = time.monotonic()
        rows = ShardRows()
        replaced = self.job.read_replaced(shard)
        service = self.make_service()
        self.progress.begin(shard.number)
        try:
            for chunk in self._read(shard, service.limits.note_bytes):
                await self._run_chunk(service, chunk, replaced, rows)
                self.progress.advance(len(chunk), rows.quarantined)
        finally:
            service.lane.close()
        rows.finish()
        self.sink.commit(shard.number, rows)
        seconds = time.monotonic() - started
        self.job.finish(shard, rows.record(shard.number, self.plan.fingerprint, seconds))
        self.progress.end()

    async def _run_chunk(
        self,
        service: Service,
        chunk: Sequence[InputNote],
        replaced: dict[int, bool],
        rows: ShardRows,
    ) -> None:
        for note in chunk:
            if replaced.get(note.place) is False:
                rows.add_superseded(note.place)
        left = [note for note in chunk if replaced.get(note.place) is not False]
        asked = [
            InputNote(note.place, DUPLICATE) if note.place in replaced else note for note in left
        ]
        rows.add(asked, await run_notes(service, asked, together=True))

    def _read(self, shard: Shard, limit_bytes: int) -> Iterator[list[InputNote]]:
        """Yield all notes of some patients at a time; a bucket has all notes of its patients."""
        for bucket in shard.buckets:
            notes = [*read_bucket(self.job.bucket_file(bucket), bucket, self.seal)]
            patients = [_patient_of(note, limit_bytes) for note in notes]
            for places in group_patients(patients, CHUNK):
                yield [notes[place] for place in places]


def _patient_of(note: InputNote, limit_bytes: int) -> Hashable:
    """Return what tells the patients of a bucket apart; what is no note is alone."""
    message = note.message
    identity = identify(message, limit_bytes) if isinstance(message, bytes) else None
    return (identity.tenant, identity.patient_id) if identity else note.place
