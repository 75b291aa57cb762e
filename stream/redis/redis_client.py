"""Make a client of Redis: of one server, or of the primary that Sentinels name; with TLS."""

import asyncio
import contextlib
import ssl
from typing import TYPE_CHECKING, Any, cast

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import (
    MasterNotFoundError,
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
)
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from deidstream.stream.redis.redis_url import RedisUrl, read_redis_url

if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSAL_SECONDS = 2
"""Time that a server has to say why it closed a connection."""
_WAITS: dict[str, Any] = {
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "health_check_interval": 15,
}
# Who calls tries again; before, the next Sentinel is asked.
_ONCE = Retry(NoBackoff(), 0)
_SENTINEL_WAITS: dict[str, Any] = {"socket_timeout": 2, "socket_connect_timeout": 2, "retry": _ONCE}
NO_PRIMARY = "no Sentinel knows a primary of this name that is up"


class _VerifiedConnection(SSLConnection):
    # Given a file of authorities, the client of Redis would trust those of the system too.
    def __init__(self, tls_context: ssl.SSLContext, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.ssl_context.context = tls_context
        self._tls = tls_context

    async def on_connect_check_health(self, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 - as redis has it
        try:
            await super().on_connect_check_health(check_health=check_health)
        except Disconnected as error:
            if isinstance(error.__context__, ConnectionError):
                await self.disconnect()
                await self._raise_refusal()
            raise

    async def _raise_refusal(self) -> None:
        """Connect once more and write nothing, so that the server can say what it refuses.

        In TLS 1.3 a server looks at the client's certificate after the handshake. When it closes
        with our first command unread, the system drops the server's reason.

        Raises:
            SSLError: The server said why.
        """
        try:
            async with asyncio.timeout(REFUSAL_SECONDS):
                reader, writer = await asyncio.open_connection(self.host, self.port, ssl=self._tls)
                with contextlib.closing(writer):
                    await reader.read(1)
        except ssl.SSLError:
            raise
        except (OSError, TimeoutError):
            return


class _VerifiedPrimary(SentinelManagedConnection, _VerifiedConnection):
    """A connection with TLS to whichever server Sentinels call the primary."""


class _Sentinels(Sentinel):
    async def discover_master(self, service_name: str) -> tuple[str, int]:
        """Return the address of the primary, by the first Sentinel that knows it to be up.

        Raises:
            RedisError: No Sentinel answers: why the first does not.
            MasterNotFoundError: Sentinels answer, and none knows a primary that is up.
        """
        refusal: Exception | None = None
        for sentinel in list(self.sentinels):
            try:
                states = cast("Mapping[str, dict[str, Any]]", await sentinel.sentinel_masters())
            except (RedisError, OSError, TimeoutError) as error:
                refusal = refusal or error
                continue
            refusal = MasterNotFoundError(NO_PRIMARY)
            state = states.get(service_name)
            if state and self.check_master_state(state, service_name):
                self.sentinels.remove(sentinel)
                self.sentinels.insert(0, sentinel)
                return state["ip"], state["port"]
        raise refusal or MasterNotFoundError(NO_PRIMARY)


class PrimaryPool(SentinelConnectionPool):
    """Connections to the primary that Sentinels name; closing it closes those to them too."""

    async def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002 - as redis has it
        """Close the connections; all of them, or the idle ones when the primary has changed."""
        await super().disconnect(inuse_connections)
        if inuse_connections:
            await self.sentinel_manager.aclose()


def redis_client(
    url: str, context: ssl.SSLContext | None = None, database: int | None = None
) -> Redis:
    """Make a client; nothing is sent yet.

    Args:
        url: Names the server and the user.
        context: TLS, for a URL that begins with ``rediss://``; ``None``: the default of the system.
        database: Instead of the one that the URL names.

    Raises:
        ValueError: It is no URL of a Redis.
    """
    where = read_redis_url(url)
    pool = _pool_of_primary(where, context) if where.service else _pool_of_server(url, context)
    if database is not None:
        pool.connection_kwargs["db"] = database
    return Redis.from_pool(pool)


def _pool_of_server(url: str, context: ssl.SSLContext | None) -> ConnectionPool:
    pool = ConnectionPool.from_url(url, **_WAITS)
    if context is not None and read_redis_url(url).encrypted:
        pool.connection_class = _VerifiedConnection
        pool.connection_kwargs["tls_context"] = context
    return pool


def _pool_of_primary(where: RedisUrl, context: ssl.SSLContext | None) -> PrimaryPool:
    login = {"username": where.sentinel_user or None, "password": where.sentinel_password or None}
    # redis leaves the arguments of both classes without types.
    sentinels = _Sentinels(  # type: ignore[no-untyped-call]
        where.servers, sentinel_kwargs={**_SENTINEL_WAITS, **login}
    )
    options: dict[str, Any] = {"ssl": where.encrypted}
    if context is not None and where.encrypted:
        options = {"connection_class": _VerifiedPrimary, "tls_context": context}
    if where.encrypted:
        for sentinel in sentinels.sentinels:
            pool = sentinel.connection_pool
            pool.connection_class = SSLConnection if context is None else _VerifiedConnection
            pool.connection_kwargs |= {} if context is None else {"tls_context": context}
    named = {
        "username": where.user or None,
        "password": where.password or None,
        "db": where.database,
    }
    return PrimaryPool(  # type: ignore[no-untyped-call]
        where.service, sentinels, **options, **named, **_WAITS, retry=_ONCE
    )
