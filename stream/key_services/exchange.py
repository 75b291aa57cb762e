"""One request to a service over HTTP, at the start of a process."""

import http.client
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import orjson

from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Unavailable
from deidstream.stream.http.own_hosts import is_loopback

SECONDS = 10.0
_REFUSED, _BROKEN = 400, 500


@dataclass(frozen=True, slots=True)
class KeyServer:
    """A server that keys, or the right to use them, are asked of."""

    named: str
    """What messages call it."""
    url: str
    """Scheme, host, port, and the beginning of the path."""

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """Send a request and return the JSON of its reply.

        Raises:
            InvalidSettings: A secret would go over a network in the clear.
            MissingArtefact: The server refuses, or its reply is no JSON.
            Unavailable: The server cannot be reached, or is broken.
        """
        return self.parse(self.send(path, body, headers))

    def send(self, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        """Send a request and return its reply.

        Raises:
            InvalidSettings: A secret would go over a network in the clear.
            MissingArtefact: The server refuses.
            Unavailable: The server cannot be reached, or is broken.
        """
        parts = urlsplit(self.url)
        if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
            msg = f"key: {self.named} must be reached by https"
            raise InvalidSettings(msg)
        return self._ask("POST", path, body, headers)

    def get_in_clear(self, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """Ask a server that is a part of this machine, and return the JSON of its reply.

        Raises:
            MissingArtefact: The server refuses, or its reply is no JSON.
            Unavailable: The server cannot be reached, or is broken.
        """
        return self.parse(self._ask("GET", path, b"", headers))

    def parse(self, reply: bytes) -> dict[str, Any]:
        """Read a reply as JSON.

        Raises:
            MissingArtefact: It is none.
        """
        try:
            answer = orjson.loads(reply)
        except orjson.JSONDecodeError:
            answer = None
        if not isinstance(answer, dict):
            msg = f"key: the reply of {self.named} is no JSON object; is its address right?"
            raise MissingArtefact(msg)
        return cast("dict[str, Any]", answer)

    def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        try:
            connection = _connect(parts.scheme, host, parts.port)
            status, reply = _exchange(connection, (method, parts.path + path), body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(self.named, f"{host}: {type(error).__name__}") from None
        if status >= _BROKEN:
            raise Unavailable(self.named, f"{host}: status {status}")
        if status >= _REFUSED:
            msg = f"key: {self.named} refuses: status {status}; may this process use the key?"
            raise MissingArtefact(msg)
        return reply


def _connect(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme != "https":
        return http.client.HTTPConnection(host, port, timeout=SECONDS)
    # SSL_CERT_FILE names other authorities than those of the system.
    return http.client.HTTPSConnection(
        host, port, timeout=SECONDS, context=ssl.create_default_context()
    )


def _exchange(
    connection: http.client.HTTPConnection,
    asked: tuple[str, str],
    body: bytes,
    headers: Mapping[str, str],
) -> tuple[int, bytes]:
    try:
        connection.request(*asked, body=body or None, headers=dict(headers))
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def read_text(reply: Mapping[str, Any], name: str, named: str) -> str:
    """Return a text of a reply.

    Raises:
        MissingArtefact: The reply has none of that name.
    """
    value = reply.get(name)
    if not isinstance(value, str):
        msg = f"key: the reply of {named} has no {name}; is its address right?"
        raise MissingArtefact(msg)
    return value
