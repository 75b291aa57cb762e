"""Tell a Redis that refuses this client from one that cannot be reached."""

from collections.abc import Collection

from redis.asyncio import Redis
from redis.asyncio.sentinel import MasterNotFoundError, SentinelConnectionPool
from redis.exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    AuthorizationError,
    BusyLoadingError,
    InvalidResponse,
    NoPermissionError,
    ResponseError,
)

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.absence import describe_absence
from deidstream.stream.observing.logs import Logger
from deidstream.stream.tls import describe_tls_failure

LOGIN = "Redis does not accept the user or the password in it"
RIGHTS = "its user lacks a right; docs/vault.md lists the rights of each command"
NO_REDIS = "what answers there is not Redis"
LOG = Logger("redis")
WRONG_TYPE = "WRONGTYPE"
"""How Redis begins its answer where a name holds a value of another type."""


class WrongType(Exception):
    """The name of one patient holds something that this service has not written.

    No waiting helps, and no other patient has to wait: the notes of this one fail.
    """


def explain_error(
    error: Exception, named: str, client: Redis | None = None
) -> InvalidSettings | Unavailable:
    """Return what to raise for an error of Redis: waiting does not help where it refuses.

    Args:
        error: What the client raised; of its message nothing but Redis's code is repeated.
        named: The setting that holds the URL.
        client: If its address is to be said.
    """
    at = f" (at {address_of(client)})" if client else ""
    if isinstance(error, AuthenticationError | AuthenticationWrongNumberOfArgsError):
        return InvalidSettings(f"{named}: {LOGIN}{at}")
    if isinstance(error, NoPermissionError | AuthorizationError):
        return InvalidSettings(f"{named}: {RIGHTS}{at}")
    if isinstance(error, InvalidResponse):
        return InvalidSettings(f"{named}: {NO_REDIS}{at}")
    tls = "DEIDSTREAM_REVERSE_TLS" if "REVERSE" in named else "DEIDSTREAM_REDIS_TLS"
    if refused := describe_tls_failure(error, "Redis", tls):
        return InvalidSettings(f"{refused}{at}")
    return Unavailable("redis", describe_outage(error, named, client) if client else "")


def describe_outage(error: Exception, named: str, client: Redis) -> str:
    """Return which address was tried, why it does not serve, and the remedy."""
    if isinstance(error, ResponseError | BusyLoadingError):
        first = str(error).partition(" ")[0]
        code = first if first.isalpha() and first.isupper() else type(error).__name__
        return f"{address_of(client)} answers with an error ({code}): look at its log"
    why = describe_absence(error)
    if isinstance(client.connection_pool, SentinelConnectionPool):
        why = "they know none that is up" if isinstance(error, MasterNotFoundError) else why
        return f"{address_of(client)}: {why}; start Redis and its Sentinels, or set {named}"
    return f"{address_of(client)}: {why}; start Redis, or set {named}"


def address_of(client: Redis) -> str:
    """Return host and port of a client, or its socket; never its user."""
    pool = client.connection_pool
    if isinstance(pool, SentinelConnectionPool):
        asked = ", ".join(address_of(each) for each in pool.sentinel_manager.sentinels)
        return f"the primary of {pool.service_name}, asked of {asked}"
    given = pool.connection_kwargs
    if path := given.get("path"):
        return str(path)
    host, port = str(given.get("host", "localhost")), given.get("port", 6379)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_wrong_type(answer: object) -> bool:
    """Return whether Redis has answered that the name holds a value of another type."""
    return isinstance(answer, ResponseError) and WRONG_TYPE in str(answer)


def explain_wrong_type(names: Collection[bytes], *, of_all: bytes) -> WrongType | InvalidSettings:
    """Log which names hold a value of another type, and return what to raise.

    Args:
        names: As Redis has them: keyed digests and words of ours, nothing of a note.
        of_all: The name that all patients need.
    """
    for name in sorted(names):
        LOG.error("redis-wrong-type", name=repr(name)[2:-1])
    if of_all not in names:
        return WrongType()
    msg = f"DEIDSTREAM_REDIS_URL: {of_all.decode()} holds a value of another type ({WRONG_TYPE}): "
    return InvalidSettings(msg + "something else uses this Redis")
