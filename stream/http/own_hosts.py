"""Tell requests to a server's own name from those to another one.

A page of another site may make a browser send requests to a name of its own that leads to this
machine, and then reads the replies (DNS rebinding).
"""

import ipaddress
from collections.abc import Collection

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Host names that always mean the machine from which a request is sent."""


def is_own_host(named: str, hosts: Collection[str]) -> bool:
    """Return whether a request was sent to a name of this server.

    Args:
        named: Its header ``Host``.
        hosts: The names; empty: any.
    """
    host = named[: named.rfind(":")] if named.rfind(":") > named.rfind("]") else named
    return not hosts or host.lower() in hosts


def is_loopback(host: str) -> bool:
    """Return whether a host can be nothing but this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
