"""Read network addresses, and draw others from the ranges that are kept for examples."""

import ipaddress

import re2

from deidstream.models.keyring import Draw

NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
"""Reserved by RFC 5737; for IPv6, 2001:db8::/32 by RFC 3849."""

_ADDRESS = re2.compile(r"^\s*([0-9A-Fa-f.:]+?)(%\w+)?((?:/\d{1,3})|(?::\d{1,5}))?\s*$")
_CARD = re2.compile(
    r"^(?:[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2})$"
)
CARD = "contact.card"
"""Kind of the identity of a network card, which notes have under several labels."""
_LONGEST, _IPV4, _WIDE = 64, 4, 3
_REST = 24
"""Bits of an IPv4 address behind its first number."""
_NO_HOST = frozenset({0, *range(240, 256)})
"""First numbers that no host has (RFC 1122, section 3.2.1.3)."""
_HEX = "0123456789abcdef"
_LOCAL = "26ae"
"""Second digit of an address that no maker gives a device (IEEE 802: locally administered)."""


def internet_address(text: str) -> tuple[str, str]:
    """Return the address in normal form and the text after it; both empty without an address.

    >>> internet_address("10.0.0.7:8080"), internet_address("no address")
    (('10.0.0.7', ':8080'), ('', ''))
    """
    found = _ADDRESS.match(text) if len(text) <= _LONGEST else None
    if not found:
        return "", ""
    bare, tail = str(found.group(1)), str(found.group(3) or "")
    # The last group of an IPv6 address looks like a port.
    tries = (bare + tail, ""), (bare, tail)
    for address, rest in tries:
        try:
            return str(ipaddress.ip_address(address)), rest
        except ValueError:
            continue
    return "", ""


def is_host(text: str) -> bool:
    """Return whether a text is an address that a machine can have on a network.

    What no network hands out is none: ``0.9.0.1``, multicast, and the ranges of IPv6 that are
    reserved, in which ratios (``1::2``) and titres (``1::64``) lie.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.version == _IPV4:
        return not address.is_multicast and int(address) >> _REST not in _NO_HOST
    return not address.is_reserved


def is_wide(text: str) -> bool:
    """Return whether two numbers of an IPv4 address have three digits: no version has them."""
    return sum(len(number) == _WIDE for number in text.split(".")) > 1


def draw_internet(value: str, draw: Draw) -> str:
    """Draw an address for documentation."""
    if ":" in value:
        return f"2001:db8::{1 + draw.below(0xFFFE):x}:{1 + draw.below(0xFFFE):x}"
    return f"{draw.pick(NETWORKS)}{1 + draw.below(254)}"


def card_address(text: str) -> str:
    """Return the twelve digits of a network card's address (MAC); empty for any other text.

    >>> card_address("00-1B-44-11-3A-B7"), card_address("001b.4411.3ab7"), card_address("1-2-3")
    ('001b44113ab7', '001b44113ab7', '')
    """
    bare = text.strip() if len(text) <= _LONGEST else ""
    return "".join(c for c in bare.lower() if c in _HEX) if _CARD.match(bare) else ""


def draw_card(value: str, draw: Draw) -> str:
    """Draw an address that no network card was made with; never ``value``."""
    drawn = value
    while drawn == value:
        head = draw.pick(_HEX) + draw.pick(_LOCAL)
        drawn = head + "".join(draw.pick(_HEX) for _ in value[2:])
    return drawn


def write_card(text: str, drawn: str) -> str:
    """Write the digits of a card's address over those of ``text``."""
    digits = iter(drawn)
    written = "".join(next(digits) if c.lower() in _HEX else c for c in text)
    return written.upper() if text.isupper() or not text.islower() else written
