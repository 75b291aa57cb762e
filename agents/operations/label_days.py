"""Count replaced spans by label and day, in Redis: counts alone, of a whole deployment.

A day has one hash, which expires after nine. Days are those of UTC, by the clock of the worker.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.agents.operations.drift import LabelCounts
from deidstream.agents.operations.running_counts import RunningCounts
from deidstream.stream.observing.logs import Logger

LOG = Logger("figures")
WEEK_DAYS = 7
KEPT_SECONDS = 9 * 86_400
_NOTES = "notes"
"""Field of the emitted notes; labels are upper case."""
_NOTHING = LabelCounts(0.0, {})


@dataclass(slots=True)
class LabelDays:
    """The counts of labels of today, and of the seven days before."""

    client: Redis
    deployment: str = "deid"
    """Prefix of every name in Redis."""
    clock: Callable[[], float] = time.time
    today: LabelCounts = _NOTHING
    week: LabelCounts = _NOTHING
    _added: RunningCounts = field(default_factory=RunningCounts.read)
    """What has been added to the counts in Redis, or was counted before this worker."""

    async def add(self, counts: RunningCounts) -> None:
        """Add what was counted since the last call, and read the counts of eight days.

        Without Redis the counts wait for the next call; what a killed worker had not added is lost.
        """
        new = counts.since(self._added)
        moment = datetime.fromtimestamp(self.clock(), UTC)
        name = self._name(moment)
        pipeline = self.client.pipeline(transaction=False)
        added = {**new.of("labels"), _NOTES: new.of("notes").get("emitted", 0.0)}
        for label, count in added.items():
            if count > 0:
                pipeline.hincrby(name, label, round(count))
                pipeline.expire(name, KEPT_SECONDS)
        changes = len(pipeline.command_stack)
        for days in range(WEEK_DAYS + 1):
            pipeline.hgetall(self._name(moment - timedelta(days=days)))
        try:
            answers = cast("list[object]", await pipeline.execute())
        except (RedisError, OSError, TimeoutError) as error:
            refused = isinstance(error, NoPermissionError)
            LOG.warning("label-counts-off", reason="no-permission" if refused else "unavailable")
            return
        self._added = counts
        today, *before = (_read(answer) for answer in answers[changes:])
        self.today, self.week = today, _add(before)

    def _name(self, moment: datetime) -> str:
        return f"{self.deployment}:labels:{moment:%Y%m%d}"


def _read(answer: object) -> LabelCounts:
    held = cast("Mapping[bytes, bytes]", answer)
    counts = {name.decode(): float(value) for name, value in held.items()}
    return LabelCounts(counts.pop(_NOTES, 0.0), counts)


def _add(days: list[LabelCounts]) -> LabelCounts:
    total = RunningCounts.add(RunningCounts({"labels": dict(day.labels)}) for day in days)
    return LabelCounts(sum(day.notes for day in days), total.of("labels"))
