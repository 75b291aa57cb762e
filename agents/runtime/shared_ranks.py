"""Give notes levels by share among those of all workers, whose counts are in Redis.

A cut is fixed for the day of the message, so that a message that is read again gets the level that
it had. Counts are added every few seconds; what a killed worker had not added is lost.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deidstream.models.risk.levels_by_share import GroupCounts, level_by_share, list_parts
from deidstream.models.risk.score_counts import BinCuts, find_bin
from deidstream.schemas.outcome import Anonymized, Outcome, Ranking
from deidstream.stream.redis.level_counts import DAY_SECONDS, KEPT_DAYS, LevelCounts, PartBin

if TYPE_CHECKING:
    from redis.asyncio import Redis

ADD_SECONDS = 5.0
"""Time between two additions to the counts in Redis."""
LOOK_SECONDS = 60.0
"""Time between two looks for cuts that a day has not got yet."""
_MOST_DAYS = 400
"""Days of groups whose cuts are kept in memory; more of them are read again."""


@dataclass(slots=True)
class _DayCuts:
    """The cuts of one group that are fixed for one day."""

    by_name: dict[str, BinCuts] = field(default_factory=dict[str, BinCuts])
    looked_at: float = float("-inf")


@dataclass(slots=True)
class SharedRanks:
    """The levels by share of one worker."""

    counts: LevelCounts
    clock: Callable[[], float] = time.monotonic
    _pending: dict[str, GroupCounts] = field(default_factory=dict[str, GroupCounts])
    """What is not in Redis yet; it also knows the parts that a group has."""
    _days: dict[tuple[str, int], _DayCuts] = field(default_factory=dict[tuple[str, int], _DayCuts])
    _added_at: float = float("-inf")

    @classmethod
    def connect(cls, client: "Redis", deployment: str) -> "SharedRanks":
        """Count in Redis; nothing is sent yet."""
        return cls(LevelCounts(client, deployment))

    async def rank(
        self, outcomes: Sequence[Outcome], created: Sequence[float | None]
    ) -> list[Outcome]:
        """Count notes, and give those that wait for it their level by share, in order.

        While Redis is unavailable, or knows too few notes, thresholds make the level.

        Args:
            outcomes: A note whose level is final is not counted again.
            created: When the message of each was created, in seconds of the Unix clock; ``None``:
                now.
        """
        for outcome in outcomes:
            if isinstance(outcome, Anonymized) and outcome.ranking is not None:
                group = await self._group(outcome.ranking.group)
                group.add(outcome.ranking, find_bin(outcome.risk))
        if self._pending and self.clock() - self._added_at >= ADD_SECONDS:
            await self.flush()
        ranked: list[Outcome] = []
        for outcome, moment in zip(outcomes, created, strict=True):
            if isinstance(outcome, Anonymized) and outcome.ranking is not None:
                cuts = await self._cuts(outcome.ranking, self._day_of(moment))
                ranked.append(level_by_share(outcome, cuts))
            else:
                ranked.append(outcome)
        return ranked

    async def flush(self) -> None:
        """Add to the counts in Redis what is not there yet."""
        self._added_at = self.clock()
        taken = {name: group.parts for name, group in self._pending.items()}
        for name, parts in taken.items():
            self._pending[name] = GroupCounts({part: Counter() for part in parts})
        added = {name: _flatten(parts) for name, parts in taken.items()}
        if not await self.counts.add({name: notes for name, notes in added.items() if notes}):
            for name, parts in taken.items():
                for part, notes in parts.items():
                    self._pending[name].parts.setdefault(part, Counter()).update(notes)

    async def _group(self, name: str) -> GroupCounts:
        """Return the notes of a group that are not in Redis; it begins with the parts that are."""
        if name not in self._pending:
            known: Mapping[PartBin, int] = await self.counts.read(name) or {}
            parts = {part: Counter[int]() for part, _ in known}
            self._pending.setdefault(name, GroupCounts(parts))
        return self._pending[name]

    def _day_of(self, moment: float | None) -> int:
        """Return the day of a message; of one that is too old or of the future, today."""
        today = self.counts.today()
        day = today if moment is None else int(moment // DAY_SECONDS)
        return day if today - KEPT_DAYS <= day <= today else today

    async def _cuts(self, ranking: Ranking, day: int) -> Mapping[str, BinCuts]:
        """Return the cuts of the parts of a note that are in force on the day of its message."""
        names = {part: _name(ranking, part) for part in list_parts(ranking)}
        if (ranking.group, day) not in self._days and len(self._days) >= _MOST_DAYS:
            self._days.clear()
        held = self._days.setdefault((ranking.group, day), _DayCuts())
        missing = not names.keys() <= {part for part, name in names.items() if name in held.by_name}
        if missing and self.clock() - held.looked_at >= LOOK_SECONDS:
            held.looked_at = self.clock()
            held.by_name = await self._look(ranking, day) or held.by_name
        return {part: held.by_name[name] for part, name in names.items() if name in held.by_name}

    async def _look(self, ranking: Ranking, day: int) -> dict[str, BinCuts] | None:
        """Fix the cuts of all parts that have enough notes, and return those in force."""
        await self.flush()
        known = await self.counts.read(ranking.group)
        if known is None:
            return None
        parts: dict[str, Counter[int]] = {}
        for (part, number), notes in known.items():
            parts.setdefault(part, Counter())[number] += notes
        found = GroupCounts(parts).find_all_cuts(ranking.red_share, ranking.yellow_share)
        wanted = {_name(ranking, part): (cuts.yellow, cuts.red) for part, cuts in found.items()}
        fixed = await self.counts.fix_cuts(ranking.group, day, wanted)
        return None if fixed is None else {name: BinCuts(*pair) for name, pair in fixed.items()}


def _name(ranking: Ranking, part: str) -> str:
    """Return under which name a cut is fixed; a policy that asks for another share has its own."""
    return f"{part} {ranking.red_share:g} {ranking.yellow_share:g}"


def _flatten(parts: Mapping[str, Counter[int]]) -> dict[PartBin, int]:
    return {
        (part, number): notes
        for part, counts in parts.items()
        for number, notes in counts.items()
        if notes
    }
