"""Why nothing answers at an address, in words, and without a word of the error."""

import asyncio
import errno
import socket
import ssl
from unittest.mock import Mock

import pytest

from deidstream.stream.absence import describe_absence
from support.ports import LOOPBACK, free_port

UNKNOWN = "the host name is not known"
NOBODY = "nothing listens there"


def raised_by(host: str, port: int) -> BaseException:
    async def connect() -> None:
        await asyncio.open_connection(host, port)

    with pytest.raises(OSError) as raised:  # noqa: PT011 - which one is what is asked
        asyncio.run(connect())
    return raised.value


def tls_error(reason: str) -> ssl.SSLError:
    """An error as OpenSSL makes it."""
    error = ssl.SSLError(1, "secret")
    error.reason = reason
    return error


def wrapped(cause: BaseException) -> BaseException:
    error = RuntimeError("of a client, with a secret")
    error.__context__ = cause
    return error


def test_a_name_that_is_not_known_is_told_from_a_port_that_is_closed() -> None:
    assert describe_absence(raised_by("nowhere.invalid", 1)) == UNKNOWN
    assert describe_absence(wrapped(raised_by(LOOPBACK, free_port()))) == NOBODY


def test_addresses_of_one_name_are_tried_together(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    infos = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
        for address in ("127.0.0.1", "127.0.0.2")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", Mock(return_value=infos))
    error = raised_by("two.example", port)
    assert "Multiple exceptions" in str(error)
    assert describe_absence(error) == NOBODY


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "x"), UNKNOWN),
        (socket.gaierror(socket.EAI_AGAIN, "x"), "the host name cannot be looked up"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), NOBODY),
        (OSError(errno.EHOSTUNREACH, "x"), "No route to host"),
        (TimeoutError(), "no answer"),
        (tls_error("NO_CIPHERS"), "TLS fails (NO_CIPHERS)"),
        (ConnectionResetError(), "the connection was closed"),
        (ValueError("secret"), "the connection was closed"),
    ],
)
def test_each_kind_has_its_words(error: BaseException, words: str) -> None:
    assert describe_absence(error) == words
    assert describe_absence(wrapped(error)) == words
