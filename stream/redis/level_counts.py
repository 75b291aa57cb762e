"""Keep in Redis how many notes had which score, and where red and yellow begin on a day.

A group of notes has a hash for each week of counts and one for each day of cuts; all of them
expire. Whoever fixes a cut first has fixed it: every worker uses it for the messages of that day,
also when they are read again. Only numbers and keyed digests are written. Levels by share are no
condition of safety: without these names, thresholds make the levels.
"""

import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.stream.observing.logs import Logger

LOG = Logger("levels")
DAY_SECONDS = 86_400
WEEK_SECONDS = 7 * DAY_SECONDS
WEEKS = 4
"""Full weeks whose notes count, beside those of the week that has begun."""
KEPT_DAYS = 40
"""For so long after its day a message that is read again has the cuts of that day."""
PAUSE_SECONDS = 30
"""After a failure, Redis is left alone for this long."""
_COUNT = re.compile(rb"([0-9a-f]{16}|):([0-9]{1,3})")
_CUTS = re.compile(rb"([0-9]{1,3}) ([0-9]{1,3})")
_Answer = TypeVar("_Answer")

PartBin = tuple[str, int]
"""A part of a group, and the number of a bin."""
Cuts = tuple[int, int]
"""The first bins of yellow and red."""


@dataclass(slots=True)
class LevelCounts:
    """The counts and cuts of a deployment; each call is one round trip."""

    client: Redis
    deployment: str = "deid"
    """Before every name in Redis."""
    clock: Callable[[], float] = time.time
    _paused_until: float = field(default=float("-inf"))

    def today(self) -> int:
        """Return the number of the day, UTC."""
        return int(self.clock() // DAY_SECONDS)

    async def add(self, counts: Mapping[str, Mapping[PartBin, int]]) -> bool:
        """Add notes, by group; return whether they were added."""
        week = int(self.clock() // WEEK_SECONDS)

        async def ask() -> bool:
            pipeline = self.client.pipeline(transaction=False)
            for group, notes in counts.items():
                name = self._counts(group, week)
                for (part, number), more in notes.items():
                    pipeline.hincrby(name, f"{part}:{number}", more)
                pipeline.expire(name, (WEEKS + 2) * WEEK_SECONDS)
            await pipeline.execute()
            return True

        return await self._execute(ask) or False

    async def read(self, group: str) -> Counter[PartBin] | None:
        """Return the notes of a group over the last weeks; ``None`` while Redis is unavailable."""
        week = int(self.clock() // WEEK_SECONDS)

        async def ask() -> Counter[PartBin]:
            pipeline = self.client.pipeline(transaction=False)
            for number in range(week - WEEKS, week + 1):
                pipeline.hgetall(self._counts(group, number))
            total = Counter[PartBin]()
            for answer in cast("list[Mapping[bytes, bytes]]", await pipeline.execute()):
                for name, value in answer.items():
                    if (found := _COUNT.fullmatch(name)) and value.isdigit():
                        total[found[1].decode(), int(found[2])] += int(value)
            return total

        return await self._execute(ask)

    async def fix_cuts(
        self, group: str, day: int, cuts: Mapping[str, Cuts]
    ) -> dict[str, Cuts] | None:
        """Fix the cuts of a day that nobody has fixed; return those that are in force, by name.

        Args:
            group: Of notes.
            day: Of the messages, as ``today`` counts.
            cuts: By any name; none: those in force are read alone.

        Returns:
            All cuts of the day; ``None`` while Redis is unavailable.
        """
        name = f"{self.deployment}:levels:{group}:day:{day}"

        async def ask() -> dict[str, Cuts]:
            pipeline = self.client.pipeline(transaction=False)
            for part, (yellow, red) in cuts.items():
                pipeline.hsetnx(name, part, f"{yellow} {red}")
            if cuts:
                pipeline.expire(name, (KEPT_DAYS + 1) * DAY_SECONDS)
            pipeline.hgetall(name)
            held = cast("Mapping[bytes, bytes]", (await pipeline.execute())[-1])
            read = ((part.decode(), _CUTS.fullmatch(value)) for part, value in held.items())
            return {part: (int(each[1]), int(each[2])) for part, each in read if each}

        return await self._execute(ask)

    def _counts(self, group: str, week: int) -> str:
        return f"{self.deployment}:levels:{group}:week:{week}"

    async def _execute(self, ask: Callable[[], Awaitable[_Answer]]) -> _Answer | None:
        if self.clock() < self._paused_until:
            return None
        try:
            return await ask()
        except (RedisError, OSError, TimeoutError, UnicodeDecodeError) as error:
            refused = isinstance(error, NoPermissionError)
            LOG.warning("level-counts-off", reason="no-permission" if refused else "unavailable")
            self._paused_until = self.clock() + PAUSE_SECONDS
            return None
