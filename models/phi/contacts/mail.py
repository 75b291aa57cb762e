"""Read what stands in the span of an e-mail address: addresses, dictated ones, their owners."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from deidstream.models.text.word_files import listed

_ADDRESS = re2.compile(r"[^\s<>(),;:\"]+@[^\s<>(),;:\"]*[^\s<>(),;:\".]")
_AT = re2.compile(r"(?i)\s*(?:\(at\)|\[at\]|\bat\b)\s*")
_DOT = re2.compile(r"(?i)\s*(?:\(dot\)|\[dot\]|\bdot\b)\s*")
_DICTATED = re2.compile(r"(?i)\bat\b.*\bdot\b")
_SCHEMES = frozenset(listed("mailto email e-mail mail smtp"))


@dataclass(frozen=True, slots=True)
class Address:
    """One address, or the text before it."""

    local: str = field(repr=False, default="")
    domain: str = field(repr=False, default="")
    before: str = field(repr=False, default="")
    at: str = "@"
    dot: str = "."
    """How the writer put the signs."""


def addresses(text: str) -> list[Address]:
    """Read the addresses in order, each with what stands before it, and what is left at the end.

    A text without any is one, whose domain is empty or what follows its last ``@``.

    >>> [one.domain for one in addresses("Ann <a@x.example>; b at y dot example")]
    ['x.example', '']
    >>> [(one.local, one.domain) for one in addresses("b (at) y dot example")]
    [('b', 'y.example')]
    """
    found = list(_written(text)) or list(_dictated(text))
    if any(one.domain for one in found):
        return found
    local, at, domain = text.strip().rpartition("@")
    return [Address(local, domain)] if at else [Address(domain)]


def _written(text: str) -> Iterator[Address]:
    read = 0
    for match in _ADDRESS.finditer(text):
        local, _, domain = text[match.start() : match.end()].rpartition("@")
        yield Address(local, domain, text[read : match.start()])
        read = match.end()
    if 0 < read < len(text):
        yield Address(before=text[read:])


def _dictated(text: str) -> Iterator[Address]:
    found = list(_AT.finditer(text)) if _DICTATED.search(text) else []
    if len(found) != 1:
        return
    local, domain = _DOT.sub(".", text[: found[0].start()]), text[found[0].end() :]
    dot = _DOT.search(domain)
    at = text[found[0].start() : found[0].end()]
    between = domain[dot.start() : dot.end()] if dot else "."
    yield Address(local.strip(), _DOT.sub(".", domain).strip(), "", at, between)


def is_scheme(before: str) -> bool:
    """Tell whether the text before an address only says what follows: ``mailto:``.

    >>> is_scheme("mailto:"), is_scheme("Ann <")
    (True, False)
    """
    return before.strip(" :;,<>\n\t").casefold() in _SCHEMES
