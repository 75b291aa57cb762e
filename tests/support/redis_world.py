"""Worlds of notes whose store is a real Redis, each an empty database of it."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import cast

from redis.asyncio import Redis as Client

from deidstream.stream.redis.surrogate_store import PREFIX, RedisSurrogateStore
from support.vault import World

_DATABASES = 16
"""Databases that a Redis has by default; no example opens as many."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The store of workers, asked from code that does not wait."""

    store: RedisSurrogateStore
    runner: asyncio.Runner

    def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        return self.runner.run(self.store.recall(names))

    def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        return self.runner.run(self.store.claim(pairs))

    def held(self) -> dict[bytes, bytes]:
        return self.runner.run(self._held())

    async def _held(self) -> dict[bytes, bytes]:
        client, found = self.store.client, dict[bytes, bytes]()
        async for key in client.scan_iter(PREFIX + b"*", count=1000):
            owner = key.removeprefix(PREFIX)
            items = cast("dict[bytes, bytes]", await client.hgetall(key))
            found |= {owner + item: value for item, value in items.items()}
        return found


@dataclass(slots=True)
class Databases:
    """The databases of one server, taken in turn and emptied before they are."""

    url: str
    runner: asyncio.Runner
    _clients: dict[int, Client] = field(default_factory=dict[int, Client])
    _numbers: "count[int]" = field(default_factory=count)

    def opened(self) -> World:
        """A world without any entry."""
        client = self._client(next(self._numbers) % _DATABASES)
        self.runner.run(_emptied(client))
        return World(store=Asked(RedisSurrogateStore(client), self.runner))

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients.values():
            self.runner.run(client.aclose())

    def _client(self, number: int) -> Client:
        if number not in self._clients:
            url = f"{self.url.rpartition('/')[0]}/{number}"
            self._clients[number] = RedisSurrogateStore.connect(url).client
        return self._clients[number]


async def _emptied(client: Client) -> None:
    await client.flushdb()


@contextmanager
def databases(url: str) -> Generator[Databases]:
    """The databases of the server at ``url``, of which nothing is left."""
    with asyncio.Runner() as runner:
        made = Databases(url, runner)
        try:
            yield made
        finally:
            made.close()
