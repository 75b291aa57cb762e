"""Replace e-mail, web and network addresses by ones reserved for examples."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass

import re2

from deidstream.models.keyring import Draw, canonical
from deidstream.models.operators.casing import recase
from deidstream.models.operators.letters import ALPHABET, DIGITS, FILLED
from deidstream.models.operators.name_pools import names
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.wordlists import listed
from deidstream.schemas.label import PhiLabel

DOMAINS = ("example.org", "example.com", "example.net")
"""Reserved by RFC 2606."""
NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
"""Reserved by RFC 5737; for IPv6, 2001:db8::/32 by RFC 3849."""

_SCHEMES = frozenset(listed("http https ftp ftps sftp rtsp"))
_ADDRESS = re2.compile(r"^\s*([0-9A-Fa-f.:]+?)(%\w+)?((?:/\d{1,3})|(?::\d{1,5}))?\s*$")
_LONGEST_ADDRESS = 64


@dataclass(frozen=True, slots=True)
class ReplaceContact:
    """E-mail addresses get a new name at an example domain, URLs an example host and a new path
    where they had one, network addresses one of the documentation ranges.

    The scheme of a URL, ``www`` and the prefix length or port of a network address stay. What
    cannot be read as a network address becomes ``[IPADDR]``.
    """  # noqa: D205

    name: str = "surrogate"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the whole address."""
        value = _address(mention.text)[0] if mention.label is PhiLabel.IPADDR else _plain(mention)
        return (Identity(f"contact.{mention.label}", value),) if value else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw an address."""
        draw, drawn = draws.own(identity), identity.value
        while drawn == identity.value:
            drawn = _draw(identity, draw)
        return drawn

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn address in the form of the mention."""
        identities = self.identities(mention)
        if not identities:
            return redacted(mention.label)
        drawn = surrogates[identities[0]]
        if mention.label is PhiLabel.IPADDR:
            return drawn + _address(mention.text)[1]
        if mention.label is PhiLabel.URL:
            return _write_url(mention.text, drawn)
        return recase(drawn, mention.text) if mention.text.isupper() else drawn


def _plain(mention: Mention) -> str:
    value = canonical(mention.text)
    if not any(map(str.isalnum, value)):
        return ""
    return _split_url(value)[2] if mention.label is PhiLabel.URL else value


def _draw(identity: Identity, draw: Draw) -> str:
    if identity.kind == "contact.IPADDR":
        return _draw_address(identity.value, draw)
    domain = draw.pick(DOMAINS)
    if identity.kind == "contact.URL":
        return f"{domain}/" + "".join(draw.pick(ALPHABET + DIGITS) for _ in range(6))
    family = draw.pick(names().family_pool[draw.pick(FILLED)])
    return f"{draw.pick(FILLED)}.{family.replace(chr(39), '').lower()}@{domain}"


def _split_url(text: str) -> tuple[str, str, str]:
    """Scheme with its slashes, ``www.`` where written, and the rest."""
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    www = rest[:4] if rest[:4].casefold() == "www." else ""
    return scheme + mark, www, rest[len(www) :]


def _write_url(text: str, drawn: str) -> str:
    scheme, www, rest = _split_url(text.strip())
    if scheme and scheme[:-3].casefold() not in _SCHEMES:
        scheme = "https://"
    host, _, path = drawn.partition("/")
    if "/" in rest.rstrip("/") or "?" in rest:
        return f"{scheme}{www}{host}/{path}"
    # A path of its own keeps a bare example host from coming out as it went in.
    same = canonical(host) == canonical(rest.rstrip("/"))
    return f"{scheme}{www}{host}/{path}" if same else f"{scheme}{www}{host}"


def _address(text: str) -> tuple[str, str]:
    """The address in normal form and what follows it; empty if it is none."""
    found = _ADDRESS.match(text) if len(text) <= _LONGEST_ADDRESS else None
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


def _draw_address(value: str, draw: Draw) -> str:
    if ":" in value:
        return f"2001:db8::{1 + draw.below(0xFFFE):x}:{1 + draw.below(0xFFFE):x}"
    return f"{draw.pick(NETWORKS)}{1 + draw.below(254)}"
