"""The store of reversible records: one Redis user that writes, another that reads.

The worker's user may only write, by Redis's own rules: ``%W~deid:rv:*`` refuses even ``SET`` with
``GET`` (Redis 7). The user of ``deidstream reidentify`` may only read.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.schemas.errors import InvalidSettings, Unavailable

PREFIX = b"deid:rv:"
PROBE = PREFIX + b"probe"
SERVICE = "redis-reverse"
WRITER = "on >SECRET resetkeys %W~deid:rv:* -@all +set +ping +select"
READER = "on >SECRET resetkeys %R~deid:rv:* -@all +get +mget +ping +select"


@dataclass(frozen=True, slots=True)
class ReverseStore:
    """Keeps sealed originals for a time."""

    client: "Redis"

    @classmethod
    def connect(cls, url: str) -> "ReverseStore":
        """Prepare a client; nothing is sent yet."""
        client = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url, socket_timeout=5, socket_connect_timeout=5, health_check_interval=15
        )
        return cls(client)

    async def keep(self, pairs: Sequence[tuple[bytes, bytes]], seconds: int) -> None:
        """Write values under their names in one round trip; what was there is written over.

        Raises:
            Unavailable: Redis is away; some pairs may have been written.
            InvalidSettings: This user may not write.
        """
        if not pairs:
            return
        pipeline = self.client.pipeline(transaction=False)
        for name, value in pairs:
            pipeline.set(PREFIX + name, value, ex=seconds)
        await _asked(pipeline.execute())

    async def find(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of names in one round trip; ``None`` for what is not there any more.

        Raises:
            Unavailable: Redis is away.
            InvalidSettings: This user may not read.
        """
        if not names:
            return []
        found = await _asked(self.client.mget([PREFIX + name for name in names]))
        return cast("list[bytes | None]", found)

    async def admit_writer(self) -> None:
        """Make sure that this user may write records, and not read them.

        Raises:
            InvalidSettings: It may not write, or it may read.
            Unavailable: Redis is away.
        """
        if not await self._allowed(self._command()("SET", PROBE, "", "EX", "1")):
            msg = "DEIDSTREAM_REVERSE_REDIS_URL: its user may not write deid:rv:*; "
            raise InvalidSettings(msg + f"give it: {WRITER}")
        if await self.may_read():
            msg = "DEIDSTREAM_REVERSE_REDIS_URL: the worker's user may read what it writes; "
            raise InvalidSettings(msg + f"give it: {WRITER}")

    async def may_read(self) -> bool:
        """Tell whether this user can read a record in any of the ways that show its value.

        Raises:
            Unavailable: Redis is away.
        """
        command = self._command()
        ways = (
            ("GET",),
            ("MGET",),
            ("GETRANGE", "0", "0"),
            ("DUMP",),
            ("SET", "", "EX", "1", "GET"),
        )
        for verb, *more in ways:
            if await self._allowed(command(verb, PROBE, *more)):
                return True
        return False

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()

    def _command(self) -> Callable[..., Awaitable[object]]:
        return cast("Callable[..., Awaitable[object]]", self.client.execute_command)

    async def _allowed(self, answer: Awaitable[object]) -> bool:
        try:
            await answer
        except NoPermissionError:
            return False
        except (RedisError, OSError, TimeoutError):
            raise Unavailable(SERVICE) from None
        return True


async def _asked(answer: Awaitable[object]) -> object:
    # Redis quotes names in some errors; ours says only who is away.
    try:
        return await answer
    except NoPermissionError:
        msg = (
            "DEIDSTREAM_REVERSE_REDIS_URL: its user may not do this: the worker's may only write, "
        )
        raise InvalidSettings(msg + "that of re-identification only read") from None
    except (RedisError, OSError, TimeoutError):
        raise Unavailable(SERVICE) from None
