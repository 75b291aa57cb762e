"""Tell a Redis that refuses this client from one that cannot be reached."""

from redis.exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    AuthorizationError,
    InvalidResponse,
    NoPermissionError,
)

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.tls import describe_tls_failure

LOGIN = "Redis does not accept the user or the password in it"
RIGHTS = "its user lacks a right; docs/vault.md lists the rights of each command"
NO_REDIS = "what answers there is not Redis"


def explain_error(error: Exception, named: str) -> InvalidSettings | Unavailable:
    """Return what to raise for an error of Redis: waiting does not help where it refuses.

    Args:
        error: What the client raised; nothing of its message is repeated.
        named: The setting that holds the URL.
    """
    if isinstance(error, AuthenticationError | AuthenticationWrongNumberOfArgsError):
        return InvalidSettings(f"{named}: {LOGIN}")
    if isinstance(error, NoPermissionError | AuthorizationError):
        return InvalidSettings(f"{named}: {RIGHTS}")
    if isinstance(error, InvalidResponse):
        return InvalidSettings(f"{named}: {NO_REDIS}")
    tls = "DEIDSTREAM_REVERSE_TLS" if "REVERSE" in named else "DEIDSTREAM_REDIS_TLS"
    if refused := describe_tls_failure(error, "Redis", tls):
        return InvalidSettings(refused)
    return Unavailable("redis")
