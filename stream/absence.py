"""Say why nothing answers at an address: no such name, nobody who listens there, or silence."""

import errno
import os
import re
import socket
import ssl
from collections.abc import Iterator

_NUMBER = re.compile(r"\[Errno (\d+)\]")


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what led to it, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def describe_absence(error: BaseException) -> str:
    """Return why there is no answer, without any text of the error.

    Args:
        error: What a client raised; its causes are looked through too.
    """
    for cause in causes_of(error):
        if isinstance(cause, socket.gaierror):
            later = cause.errno == socket.EAI_AGAIN
            return "the host name cannot be looked up" if later else "the host name is not known"
        if isinstance(cause, ssl.SSLError):
            # Its number is not one of the system; its reason is one of OpenSSL's own words.
            return f"TLS fails ({cause.reason or type(cause).__name__})"
        if isinstance(cause, OSError) and (number := _number_of(cause)):
            return "nothing listens there" if number == errno.ECONNREFUSED else os.strerror(number)
    if any(isinstance(cause, TimeoutError) for cause in causes_of(error)):
        return "no answer"
    return "the connection was closed"


def _number_of(error: OSError) -> int:
    # Of several addresses of one name, asyncio puts the errors into one text.
    numbers: list[str] = [] if error.errno else _NUMBER.findall(str(error))
    return int(numbers[-1]) if numbers else error.errno or 0
