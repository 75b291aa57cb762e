"""Make a client of Redis, with TLS where its URL asks for it."""

import asyncio
import contextlib
import ssl
from typing import Any

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import SSLConnection
from redis.exceptions import ConnectionError as Disconnected

from deidstream.stream.tls import ENCRYPTED

REFUSAL_SECONDS = 2
"""Time that a server has to say why it closed a connection."""


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
    pool = ConnectionPool.from_url(
        url, socket_timeout=5, socket_connect_timeout=5, health_check_interval=15
    )
    if database is not None:
        pool.connection_kwargs["db"] = database
    if context is not None and url.startswith(ENCRYPTED):
        pool.connection_class = _VerifiedConnection
        pool.connection_kwargs["tls_context"] = context
    return Redis.from_pool(pool)
