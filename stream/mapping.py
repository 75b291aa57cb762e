"""Where surrogates are kept: in memory for files and tests, in Redis for the service."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deidstream.schemas.errors import Unavailable
from deidstream.stream import metrics

if TYPE_CHECKING:
    from redis.asyncio.client import Pipeline

PREFIX = b"deid:sg:"


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


@dataclass(frozen=True, slots=True)
class RedisSurrogateStore:
    """Keeps surrogates in Redis; any number of workers share one."""

    client: "Redis"

    @classmethod
    def connect(cls, url: str) -> "RedisSurrogateStore":
        """Prepare a client; nothing is sent yet."""
        client = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url, socket_timeout=5, socket_connect_timeout=5, health_check_interval=15
        )
        return cls(client)

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names`` by one MGET.

        Raises:
            Unavailable: Redis is away.
        """
        if not names:
            return []
        keys = [PREFIX + name for name in names]
        with metrics.timed("deid_redis_seconds", "recall"):
            found = await _asked(self.client.mget(keys))
        return cast("list[bytes | None]", found)

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one, by one pipeline of SET NX and GET.

        ``SET … NX GET`` in one command needs Redis 7; the pair says the same on Redis 6 too.

        Raises:
            Unavailable: Redis is away; some pairs may have been written.
        """
        if not pairs:
            return []
        pipeline: Pipeline = self.client.pipeline(transaction=False)
        for name, value in pairs:
            pipeline.set(PREFIX + name, value, nx=True)
            pipeline.get(PREFIX + name)
        with metrics.timed("deid_redis_seconds", "claim"):
            answers = cast("list[bytes | None]", await _asked(pipeline.execute()))
        return _winners(answers[1::2])

    async def ping(self) -> None:
        """Ask whether Redis is there.

        Raises:
            Unavailable: It is not.
        """
        await _asked(cast("Awaitable[object]", self.client.ping()))

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


async def _asked(answer: Awaitable[object]) -> object:
    # Redis quotes names in some errors; ours says only who is away.
    try:
        return await answer
    except (RedisError, OSError, TimeoutError):
        raise Unavailable("redis") from None  # noqa: EM101


def _winners(values: Sequence[bytes | None]) -> list[bytes]:
    winners = [value for value in values if value is not None]
    if len(winners) < len(values):
        # The value went between SET and GET: Redis evicts, or was flushed.
        raise Unavailable("redis")  # noqa: EM101
    return winners
