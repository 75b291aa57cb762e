"""Where surrogates are kept: in memory for files and tests, in Redis for the service.

A name is its owner, the first 16 bytes, and its item, the rest. In Redis each owner is one hash, so
that all that is kept of a patient goes by one deletion and no index can be out of step with it.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream import metrics
from deidstream.stream.mark import Mark

if TYPE_CHECKING:
    from redis.asyncio.client import Pipeline

OWNER_BYTES = 16
PREFIX = b"deid:of:"
"""Before an owner; the hash holds sealed values by item."""
MARKS = b"deid:marks"
"""A hash: how many claims each worker has made."""
EPOCHS = b"deid:epochs"
"""A hash: how many notes came out in each mapping epoch."""
CANARY = b"deid:key:"
"""Before a key version: a constant, sealed by that key."""


@dataclass(frozen=True, slots=True)
class MemorySurrogateStore:
    """Keeps surrogates while the process lives; for one process only."""

    _values: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes], repr=False)

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names``; ``None`` for the unknown."""
        return [self._values.get(name) for name in names]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one; return the winners."""
        return [self._values.setdefault(name, value) for name, value in pairs]

    async def forget(self, owners: Sequence[bytes]) -> int:
        """Delete all that is kept of ``owners``; return how many values went."""
        gone = [name for name in self._values if name[:OWNER_BYTES] in set(owners)]
        for name in gone:
            del self._values[name]
        return len(gone)


@dataclass(frozen=True, slots=True)
class RedisSurrogateStore:
    """Keeps surrogates in Redis; any number of workers share one."""

    client: "Redis"
    mark: Mark = field(default_factory=Mark.fresh)
    """What Redis must still know of this worker's claims."""

    @classmethod
    def connect(cls, url: str, mark: Mark | None = None) -> "RedisSurrogateStore":
        """Prepare a client; nothing is sent yet.

        Raises:
            InvalidSettings: The URL is none of Redis.
        """
        return cls(_client(url), mark or Mark.fresh())

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names`` in one round trip.

        Raises:
            Unavailable: Redis is away.
            UntrustedStore: Redis has lost claims of this worker, and they cannot be made again.
        """
        if not names:
            return []
        known = self.mark.claims
        pipeline = self.client.pipeline(transaction=False)
        pipeline.hget(_text(MARKS), _text(self.mark.worker))
        order = sorted(range(len(names)), key=lambda place: names[place][:OWNER_BYTES])
        for owner, places in groupby(order, key=lambda place: names[place][:OWNER_BYTES]):
            pipeline.hmget(_text(PREFIX + owner), [_text(names[p][OWNER_BYTES:]) for p in places])
        with metrics.timed("deid_redis_seconds", "recall"):
            seen, *found = cast("list[object]", await _asked(pipeline.execute()))
        await self.mark.saw(int(cast("bytes", seen or b"0")), at_least=known)
        values = [value for some in cast("list[list[bytes | None]]", found) for value in some]
        by_place = dict(zip(order, values, strict=True))
        return [by_place[place] for place in range(len(names))]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one, in one round trip; return the winners.

        The worker's count of claims comes last: a Redis that kept it has kept what came before it.

        Raises:
            Unavailable: Redis is away; some pairs may have been written.
            UntrustedStore: Redis has lost claims of this worker, and they cannot be made again.
        """
        if not pairs:
            return []
        known = self.mark.claims
        pipeline: Pipeline = self.client.pipeline(transaction=False)
        for name, value in pairs:
            place = _text(PREFIX + name[:OWNER_BYTES]), _text(name[OWNER_BYTES:])
            pipeline.hsetnx(*place, _text(value))
            pipeline.hget(*place)
        pipeline.hincrby(_text(MARKS), _text(self.mark.worker), 1)
        with metrics.timed("deid_redis_seconds", "claim"):
            *answers, claims = cast("list[object]", await _asked(pipeline.execute()))
        await self.mark.saw(cast("int", claims), at_least=known + 1)
        return _winners(cast("list[bytes | None]", answers[1::2]))

    async def forget(self, owners: Sequence[bytes]) -> int:
        """Delete all that is kept of ``owners``; return how many values went.

        Raises:
            Unavailable: Redis is away, or does not let this user delete.
        """
        pipeline: Pipeline = self.client.pipeline(transaction=True)
        for owner in owners:
            pipeline.hlen(_text(PREFIX + owner))
            pipeline.delete(PREFIX + owner)
        return sum(cast("list[int]", await _asked(pipeline.execute()))[::2])

    async def marks(self, workers: Sequence[bytes]) -> list[int]:
        """Read how many claims Redis knows of each worker.

        Raises:
            Unavailable: Redis is away.
        """
        if not workers:
            return []
        asked = self.client.hmget(_text(MARKS), [_text(worker) for worker in workers])
        found = cast("list[bytes | None]", await _asked(cast("Awaitable[object]", asked)))
        return [int(count or b"0") for count in found]

    async def epoch(self, number: int, notes: int = 0) -> int:
        """Add to the notes of a mapping epoch and return how many there are.

        Raises:
            Unavailable: Redis is away.
        """
        added = self.client.hincrby(_text(EPOCHS), str(number), notes)
        return cast("int", await _asked(cast("Awaitable[object]", added)))

    async def canary(self, version: int, sealed: bytes | None = None) -> bytes | None:
        """Read what was sealed by key ``version``; leave ``sealed`` there if nothing was.

        Raises:
            Unavailable: Redis is away.
        """
        name = CANARY + str(version).encode()
        if sealed is not None:
            await _asked(self.client.set(name, sealed, nx=True))
        return cast("bytes | None", await _asked(self.client.get(name)))

    async def ping(self) -> None:
        """Ask whether Redis is there.

        Raises:
            Unavailable: It is not.
        """
        await _asked(cast("Awaitable[object]", self.client.ping()))

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def _client(url: str) -> "Redis":
    try:
        return Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url, socket_timeout=5, socket_connect_timeout=5, health_check_interval=15
        )
    except ValueError:
        msg = "DEIDSTREAM_REDIS_URL: must be a URL that begins with redis://, rediss:// or unix://"
        raise InvalidSettings(msg) from None


def _text(raw: bytes) -> str:
    # The client's types ask for text in hashes; it sends bytes as they are.
    return cast("str", raw)


async def _asked(answer: Awaitable[object]) -> object:
    # Redis quotes names in some errors; ours says only who is away.
    try:
        return await answer
    except (RedisError, OSError, TimeoutError):
        raise Unavailable("redis") from None  # noqa: EM101


def _winners(values: Sequence[bytes | None]) -> list[bytes]:
    winners = [value for value in values if value is not None]
    if len(winners) < len(values):
        # The value went between the two: Redis evicts, was flushed, or a patient was forgotten.
        raise Unavailable("redis")  # noqa: EM101
    return winners
