"""Check what a job has written against what it has read: every row once, and of this job alone."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from deidstream.agents.archive.input_ids import pseudonym_of, read_ids
from deidstream.agents.archive.job_folder import JobFolder, ShardRecord
from deidstream.agents.archive.job_plan import JobPlan, Shard
from deidstream.agents.archive.shard_rows import digest_rows
from deidstream.agents.archive.shard_sink import CommittedRows, ShardSink
from deidstream.schemas.errors import MissingArtefact


@dataclass(frozen=True, slots=True)
class Makers:
    """What must have made every output: digests of policies, the key version and the epoch."""

    policies: frozenset[str]
    key_version: int
    epoch: int


@dataclass(frozen=True, slots=True)
class JobCheck:
    """Reads the outputs of a job back."""

    job: JobFolder
    plan: JobPlan
    sink: ShardSink
    makers: Makers

    def find_faults(self) -> Iterator[str]:
        """Yield every fault in words, without ids; none: the archive is whole."""
        for shard in self.plan.shards:
            record = self.job.find_record(shard.number)
            if record is None:
                yield f"shard {shard.number}: is not done ({shard.notes:,} notes)"
                continue
            for fault in self._check_shard(shard, record):
                yield f"shard {shard.number}: {fault}"

    def _check_shard(self, shard: Shard, record: ShardRecord) -> Iterator[str]:
        if record.fingerprint != self.plan.fingerprint:
            yield "another job has done it"
            return
        ids = np.concatenate([read_ids(self.job.id_file(bucket)) for bucket in shard.buckets])
        if len(ids) != shard.notes:
            yield f"the job knows {len(ids):,} of its {shard.notes:,} notes"
            return
        named = {int(each["place"]) + 1: pseudonym_of(each) for each in ids}
        try:
            rows = self.sink.read(shard.number, [each for each in named.values() if each])
        except MissingArtefact as missing:
            yield str(missing)
            return
        yield from _compare(named, rows)
        yield from self._check_makers(rows)
        if digest_rows(rows.notes, rows.others) != record.digest:
            yield "its outputs are not those that were committed"

    def _check_makers(self, rows: CommittedRows) -> Iterator[str]:
        makers = self.makers
        made = Counter(
            (row["policy_sha256"] in makers.policies, row["key_version"], row["epoch"])
            for row in rows.notes
        )
        right = (True, makers.key_version, makers.epoch)
        strange = made.total() - made[right]
        if strange:
            yield f"{strange:,} outputs are of another policy, key version or epoch"


def _compare(named: Mapping[int, str | None], rows: CommittedRows) -> Iterator[str]:
    """Compare the rows that were read with those that were written.

    Args:
        named: The pseudonym of the note of each place.
        rows: The rows of the outputs.
    """
    outputs = Counter(str(row["note_id"]) for row in rows.notes)
    others = Counter(_place_of(row) for row in rows.others)
    double = _count_double(outputs.values()) + _count_double(others.values())
    if double:
        yield f"{double:,} notes are in the outputs more than once"
    expected = {name for place, name in named.items() if name and place not in others}
    unnamed = sum(name is None and place not in others for place, name in named.items())
    lost = len(expected - outputs.keys()) + unnamed
    if lost:
        yield f"{lost:,} notes are neither in the outputs nor in quarantine"
    strange = len(outputs.keys() - expected) + len(others.keys() - named.keys())
    if strange:
        yield f"{strange:,} rows are of no note of the shard"


def _count_double(counts: Iterable[int]) -> int:
    return sum(count > 1 for count in counts)


def _place_of(row: Mapping[str, object]) -> int:
    place = row["place"]
    return place if isinstance(place, int) else -1
