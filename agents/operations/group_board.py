"""Show the figures of a worker to the other workers of its group, in Redis.

Each worker writes a key of its own, which expires after some seconds by the clock of Redis; one
hash lists the workers. Without Redis, or without its permission, a worker shows only itself.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.stream.observing.logs import Logger

LOG = Logger("figures")
KEPT_SECONDS = 15
"""A worker that has written nothing for this time is not shown."""
HASH_SECONDS = 3_600
PAUSE_SECONDS = 30.0
"""Time without a further attempt after a failure of Redis."""


@dataclass(slots=True)
class GroupBoard:
    """Where the workers of one group show their figures."""

    client: Redis
    group: str
    deployment: str = "deid"
    """Prefix of every name in Redis."""
    clock: Callable[[], float] = time.monotonic
    works: bool = True
    """Whether the last exchange succeeded."""
    _paused_until: float = field(default=float("-inf"))

    async def show(self, worker: str, figures: bytes) -> None:
        """Show the figures of a worker for the next seconds."""
        pipeline = self.client.pipeline(transaction=False)
        pipeline.set(self._name(worker), figures, ex=KEPT_SECONDS)
        pipeline.hset(self._names, worker, "1")
        pipeline.expire(self._names, HASH_SECONDS)
        await self._execute(pipeline.execute)

    async def read(self, *, but: str) -> list[bytes]:
        """Return the figures of the other workers, in no order."""

        async def ask() -> list[bytes]:
            named = cast("dict[bytes, bytes]", await self.client.hgetall(self._names))
            workers = [name.decode() for name in named if name.decode() != but]
            pipeline = self.client.pipeline(transaction=False)
            for worker in workers:
                pipeline.get(self._name(worker))
            shown = cast("list[bytes | None]", await pipeline.execute()) if workers else []
            gone = [worker for worker, value in zip(workers, shown, strict=True) if value is None]
            if gone:
                await self.client.hdel(self._names, *gone)
            return [value for value in shown if value is not None]

        found = await self._execute(ask)
        return cast("list[bytes]", found or [])

    @property
    def _names(self) -> str:
        return f"{self.deployment}:figures:{self.group}"

    def _name(self, worker: str) -> str:
        return f"{self._names}:{worker}"

    async def _execute(self, ask: Callable[[], Awaitable[object]]) -> object:
        if self.clock() < self._paused_until:
            return None
        try:
            answer = await ask()
        except (RedisError, OSError, TimeoutError) as error:
            refused = isinstance(error, NoPermissionError)
            LOG.warning("group-figures-off", reason="no-permission" if refused else "unavailable")
            self._paused_until, self.works = self.clock() + PAUSE_SECONDS, False
            return None
        self.works = True
        return answer
