"""Where a job stands: what its shards have become, and how that is said."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from deidstream.agents.archive.job_folder import JobFolder, ShardRecord
from deidstream.agents.archive.job_plan import Shard
from deidstream.agents.archive.process_progress import UnfinishedShard
from deidstream.schemas.outcome import RiskLevel


@dataclass(slots=True)
class JobState:
    """The sums over shards."""

    shards: int = 0
    """Shards that are done."""
    notes: int = 0
    outputs: int = 0
    retracted: int = 0
    superseded: int = 0
    levels: Counter[str] = field(default_factory=Counter[str])
    quarantined: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def of(cls, job: JobFolder, shards: Sequence[Shard]) -> "JobState":
        """Sum up the shards of a job that are done."""
        state = cls()
        state.take_done(job, shards)
        return state

    def take_done(self, job: JobFolder, shards: Sequence[Shard]) -> Sequence[Shard]:
        """Add those of some shards that are done; return the others.

        A large job has thousands, which do not change once they are done: each is read once.
        """
        done, left = job.list_done(), list[Shard]()
        for shard in shards:
            record = job.find_record(shard.number) if shard.number in done else None
            if record:
                self._add(record)
            else:
                left.append(shard)
        return left

    def with_unfinished(
        self, unfinished: Iterable[UnfinishedShard], left: Sequence[Shard]
    ) -> "JobState":
        """Return a state in which what is under way counts too.

        Args:
            unfinished: How far processes are.
            left: The shards that are not in this state yet.
        """
        state, numbers = deepcopy(self), {shard.number for shard in left}
        for each in unfinished:
            if each.shard in numbers:
                state.notes += each.notes
                state.quarantined.update(each.quarantined)
        return state

    def _add(self, record: ShardRecord) -> None:
        self.shards += 1
        self.notes += record.notes
        self.outputs += record.outputs
        self.retracted += record.retracted
        self.superseded += record.superseded
        self.levels.update(record.levels)
        self.quarantined.update(record.quarantined)
        for why, place in record.first.items():
            self.first[why] = min(place, self.first.get(why, place))

    def describe(self) -> str:
        """Return the counts of notes in a line."""
        levels = [f"{self.levels[level]:,} {level}" for level in RiskLevel if self.levels[level]]
        shown = f" ({', '.join(levels)})" if levels else ""
        parts = [f"{self.outputs:,} anonymized{shown}"]
        parts += [f"{self.retracted:,} retracted"] if self.retracted else []
        parts += [f"{self.superseded:,} superseded"] if self.superseded else []
        parts.append(f"{self.quarantined.total():,} quarantined")
        return f"{self.notes:,} notes: {', '.join(parts)}"

    def list_quarantined(self, unit: str) -> Iterator[str]:
        """Yield a line for each reason."""
        for why, count in sorted(self.quarantined.items()):
            place = f" (first in {unit} {self.first[why]})" if why in self.first else ""
            yield f"quarantined: {count} x {why}{place}"
