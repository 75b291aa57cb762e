"""Make a client of Redis, with TLS where its URL asks for it."""

import ssl
from typing import Any

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import SSLConnection

from deidstream.stream.tls import ENCRYPTED


class _VerifiedConnection(SSLConnection):
    # Given a file of authorities, the client of Redis would trust those of the system too.
    def __init__(self, tls_context: ssl.SSLContext, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.ssl_context.context = tls_context


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
