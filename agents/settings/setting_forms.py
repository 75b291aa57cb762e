"""Check the form of settings that name addresses, without connecting to anything."""

import re
from urllib.parse import urlsplit

from deidstream.schemas.model_pins import read_pins
from deidstream.stream.redis.redis_url import read_redis_url

MOST_PORT = 65_535
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
"""Source: org.apache.kafka.common.internals.Topic."""
_HOST = re.compile(r"[A-Za-z0-9._:-]+")


def check_redis_url(text: str) -> str | None:
    """Return what is wrong with a Redis URL; ``None`` if nothing is."""
    try:
        read_redis_url(text)
    except ValueError as error:
        return str(error)
    return None


def check_optional_redis_url(text: str) -> str | None:
    """Return what is wrong with a Redis URL that may be empty; ``None`` if nothing is."""
    return check_redis_url(text) if text else None


def check_pins(text: str) -> str | None:
    """Return what is wrong with precisions of models; ``None`` if nothing is."""
    try:
        read_pins(text)
    except ValueError as error:
        return str(error)
    return None


def check_brokers(text: str) -> str | None:
    """Return what is wrong with a list of bootstrap servers; ``None`` if nothing is."""
    if all(map(_is_broker, text.split(","))):
        return None
    return (
        f"must be HOST:PORT,HOST:PORT, without a scheme and each with a port from 1 to {MOST_PORT}"
    )


def _is_broker(text: str) -> bool:
    host, colon, port = text.strip().rpartition(":")
    named = _HOST.fullmatch(host.strip("[]")) is not None
    return bool(colon) and named and port.isdecimal() and 0 < int(port) <= MOST_PORT


def check_topic(text: str) -> str | None:
    """Return what is wrong with the name of a topic; ``None`` if nothing is."""
    if _TOPIC.fullmatch(text) and text not in {".", ".."}:
        return None
    return "must be 1 to 249 letters, digits, dots, underscores or hyphens"


def check_group(text: str) -> str | None:
    """Return what is wrong with the name of a consumer group; ``None`` if nothing is."""
    return None if text.strip() else "must not be empty"


def check_host(text: str) -> str | None:
    """Return what is wrong with an address to listen on; ``None`` if nothing is."""
    return None if _HOST.fullmatch(text) else "must be a host name or an address, without a port"


def check_web_address(text: str) -> str | None:
    """Return what is wrong with an address of HTTP that may be empty; ``None`` if nothing is."""
    return None if not text or _is_web_address(text) else "must be http(s)://HOST:PORT/PATH"


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return named and parts.scheme in {"http", "https"} and bool(parts.path.strip("/"))


def check_share(text: str) -> str | None:
    """Return what is wrong with a share; ``None`` if nothing is."""
    return None if 0 <= float(text) <= 1 else "must be from 0 to 1"


def check_port(text: str) -> str | None:
    """Return what is wrong with a port to listen on; ``None`` if nothing is."""
    return None if 0 <= int(text) <= MOST_PORT else f"must be from 0 to {MOST_PORT}"
