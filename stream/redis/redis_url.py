"""Read the URL of a Redis: a server, a socket, or a service whose primary Sentinels know."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

ENCRYPTED = "rediss://"
"""How the URL of a Redis with TLS begins."""
_TLS = ("rediss", "rediss+sentinel")
_SENTINEL = ("redis+sentinel", "rediss+sentinel")
_SCHEMES = ("redis", "rediss", "unix", *_SENTINEL)
_PORT, _SENTINEL_PORT, _MOST_PORT = 6379, 26379, 65_535
_SERVER = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:,/@]+))(:(?P<port>[0-9]*))?")
_SERVICE_FORM = "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE/DATABASE"


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """What the URL of a Redis says."""

    encrypted: bool
    servers: tuple[tuple[str, int], ...]
    """Host and port of the server, or of each Sentinel; none for a socket."""
    socket: str = ""
    service: str = ""
    """The name that Sentinels have for the primary; empty without Sentinels."""
    database: int = 0
    user: str = ""
    password: str = field(default="", repr=False)
    sentinel_user: str = ""
    sentinel_password: str = field(default="", repr=False)

    @property
    def hosts(self) -> Sequence[str]:
        """The hosts that are connected to first; none for a socket."""
        return [host for host, _ in self.servers]


def read_redis_url(text: str) -> RedisUrl:
    """Read a URL; nothing is connected to.

    Args:
        text: ``redis://`` or ``rediss://`` and a server, ``unix://`` and a socket, or
            ``redis+sentinel://`` or ``rediss+sentinel://``, Sentinels and the name of the service.
            ``?sentinel_user=`` and ``?sentinel_password=`` log in to Sentinels that ask for it.

    Raises:
        ValueError: It is none of these; the message says what a URL must have, nothing of ``text``.
    """
    url = _split(text)
    login, _, servers = url.netloc.rpartition("@")
    user, password = (unquote(part) for part in login.partition(":")[::2])
    plain = RedisUrl(url.scheme in _TLS, (), user=user, password=password)
    options = dict(parse_qsl(url.query))
    if url.scheme in _SENTINEL:
        return _with_service(plain, url.path, servers, options)
    database = int(options["db"]) if options.get("db", "").isdecimal() else 0
    if url.scheme == "unix":
        if not url.path:
            msg = "must name a socket: unix:///PATH"
            raise ValueError(msg)
        return replace(plain, socket=url.path, database=database)
    form = "must name a host and at most the number of a database: redis://HOST:PORT/DATABASE"
    found = _read_servers(servers, _PORT, form)
    if len(found) > 1 or not re.fullmatch(r"/?|/[0-9]+", url.path):
        raise ValueError(form)
    return replace(plain, servers=found, database=int(url.path.removeprefix("/") or database))


def _with_service(plain: RedisUrl, path: str, servers: str, options: Mapping[str, str]) -> RedisUrl:
    service, slash, number = path.removeprefix("/").partition("/")
    if not service or (slash and not number.isdecimal()):
        msg = f"must name the service and at most the number of a database: {_SERVICE_FORM}"
        raise ValueError(msg)
    if not options.keys() <= {"sentinel_user", "sentinel_password"}:
        msg = "may have no options but sentinel_user and sentinel_password"
        raise ValueError(msg)
    return replace(
        plain,
        servers=_read_servers(servers, _SENTINEL_PORT, f"must be {_SERVICE_FORM}"),
        service=unquote(service),
        database=int(number or 0),
        sentinel_user=options.get("sentinel_user", ""),
        sentinel_password=options.get("sentinel_password", ""),
    )


def _split(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
    except ValueError:  # an address in brackets that do not close
        msg = "must be a URL"
        raise ValueError(msg) from None
    if url.scheme not in _SCHEMES:
        msg = f"must be a URL that begins with {', '.join(f'{each}://' for each in _SCHEMES)}"
        raise ValueError(msg)
    return url


def _read_servers(text: str, usual: int, form: str) -> tuple[tuple[str, int], ...]:
    servers: list[tuple[str, int]] = []
    for each in text.split(","):
        if (server := _SERVER.fullmatch(each)) is None:
            raise ValueError(form)
        port = int(server["port"] or usual)
        if not 0 < port <= _MOST_PORT:
            msg = f"must have a port from 1 to {_MOST_PORT}"
            raise ValueError(msg)
        servers.append((server["six"] or server["name"], port))
    return tuple(servers)
