"""Mark in Redis what is in work, so that the next worker sees what an ended process was doing.

A partition has one hash. Its field ``<worker>:<first offset>`` holds the last offset of a range in
work, and ``alone:<offset>`` how many times the message was begun alone and not ended. Only offsets
and random names are written. Marks are no condition of safety: without them notes go on unmarked.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.schemas.outcome import Coordinates, Place
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import Logger

if TYPE_CHECKING:
    from redis.asyncio.client import Pipeline

LOG = Logger("crash-marks")
KEPT_SECONDS = 86_400
PAUSE_SECONDS = 30
"""After a failure, Redis is left alone for this long."""
_ALONE = b"alone"


@dataclass(frozen=True, slots=True)
class OffsetRange:
    """The first and the last offset of messages of one partition."""

    first: int
    last: int


def ranges_of(sources: Sequence[Coordinates]) -> dict[Place, OffsetRange]:
    """Return the range of the messages in each partition."""
    found: dict[Place, OffsetRange] = {}
    for source in sources:
        place = source.place
        held = found.get(place, OffsetRange(source.offset, source.offset))
        first, last = min(held.first, source.offset), max(held.last, source.offset)
        found[place] = OffsetRange(first, last)
    return found


@dataclass(frozen=True, slots=True)
class PriorMarks:
    """The marks that other processes left in one partition."""

    ranges: tuple[OffsetRange, ...] = ()
    alone: Mapping[int, int] = field(default_factory=dict[int, int])
    """How often a message was begun alone and not ended, by its offset."""

    def holds(self, offset: int) -> bool:
        """Return whether the message was in work when a process ended."""
        return offset in self.alone or any(r.first <= offset <= r.last for r in self.ranges)


@dataclass(slots=True)
class CrashMarks:
    """The marks of one worker."""

    client: Redis
    group: str
    deployment: str = "deid"
    """Before every name in Redis."""
    worker: bytes = field(default_factory=lambda: secrets.token_hex(8).encode())
    _ended: dict[Place, list[bytes]] = field(default_factory=dict[Place, list[bytes]])
    """Fields that the next call removes, so that removing costs no round trip."""
    _in_work: dict[Place, list[int]] = field(default_factory=dict[Place, list[int]])
    """The first offsets of the ranges that this worker has taken and not ended."""
    _paused_until: float = 0.0

    def take(self, ranges: Mapping[Place, OffsetRange]) -> None:
        """Keep what other processes left in these ranges until they end.

        Groups are begun beside one another, so a later range may be begun before an earlier one.
        """
        for place, offsets in ranges.items():
            self._in_work.setdefault(place, []).append(offsets.first)

    async def begin(self, ranges: Mapping[Place, OffsetRange]) -> dict[Place, PriorMarks]:
        """Mark taken ranges as begun; return what other processes left, in one round trip."""
        pipeline = self.client.pipeline(transaction=False)
        self._remove_ended(pipeline)
        for place, offsets in ranges.items():
            name = self._name(place)
            pipeline.hgetall(name)
            pipeline.hset(name, cast("str", self._field(offsets)), str(offsets.last))
            pipeline.expire(name, KEPT_SECONDS)
        answers = await self._execute(pipeline)
        if answers is None:
            return {}
        held = cast("list[Mapping[bytes, bytes]]", answers[-3 * len(ranges) :: 3])
        pairs = zip(ranges.items(), held, strict=True)
        return {place: self._read(place, offsets, marks) for (place, offsets), marks in pairs}

    def end(self, ranges: Mapping[Place, OffsetRange]) -> None:
        """Remove marks with the next call."""
        for place, offsets in ranges.items():
            self._in_work[place].remove(offsets.first)
            self._drop(place, self._field(offsets))

    async def begin_alone(self, source: Coordinates) -> None:
        """Count that a message was begun alone."""
        pipeline = self.client.pipeline(transaction=False)
        self._remove_ended(pipeline)
        name = self._name(source.place)
        pipeline.hincrby(name, _alone(source).decode(), 1)
        pipeline.expire(name, KEPT_SECONDS)
        await self._execute(pipeline)

    def end_alone(self, source: Coordinates) -> None:
        """Remove the count of a message with the next call: the process has outlived it."""
        self._drop(source.place, _alone(source))

    async def flush(self) -> None:
        """Remove what has ended."""
        if self._ended:
            pipeline = self.client.pipeline(transaction=False)
            self._remove_ended(pipeline)
            await self._execute(pipeline)

    def _read(self, place: Place, offsets: OffsetRange, marks: Mapping[bytes, bytes]) -> PriorMarks:
        """Read what others left; what lies before all that is in work has ended and is removed."""
        earliest = min([offsets.first, *self._in_work.get(place, ())])
        ranges, alone = list[OffsetRange](), dict[int, int]()
        for name, value in marks.items():
            worker, _, first = name.partition(b":")
            if worker == self.worker:
                continue
            if worker == _ALONE and int(first) >= earliest:
                alone[int(first)] = int(value)
            elif worker != _ALONE and int(value) >= earliest:
                ranges.append(OffsetRange(int(first), int(value)))
            else:
                self._drop(place, name)
        return PriorMarks(tuple(ranges), alone)

    def _name(self, place: Place) -> str:
        return f"{self.deployment}:begun:{self.group}:{place[0]}:{place[1]}"

    def _field(self, offsets: OffsetRange) -> bytes:
        return self.worker + b":%d" % offsets.first

    def _drop(self, place: Place, name: bytes) -> None:
        self._ended.setdefault(place, []).append(name)

    def _remove_ended(self, pipeline: "Pipeline") -> None:
        ended, self._ended = self._ended, {}
        for place, names in ended.items():
            pipeline.hdel(self._name(place), *cast("list[str]", names))

    async def _execute(self, pipeline: "Pipeline") -> list[object] | None:
        if time.monotonic() < self._paused_until:
            return None
        try:
            with metrics.observe_time("deid_redis_seconds", "begin"):
                return cast("list[object]", await pipeline.execute())
        except (RedisError, OSError, TimeoutError) as error:
            refused = isinstance(error, NoPermissionError)
            LOG.warning("crash-marks-off", reason="no-permission" if refused else "unavailable")
            self._paused_until = time.monotonic() + PAUSE_SECONDS
            return None


def _alone(source: Coordinates) -> bytes:
    return _ALONE + b":%d" % source.offset
