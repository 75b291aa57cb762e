"""Who may call: clients by their tokens, and what each may do."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Self

LEAST_TOKEN = 16
"""Characters of the shortest token that is taken."""
_BEARER = b"bearer "


@dataclass(frozen=True, slots=True)
class HttpClient:
    """One client, known by its token."""

    name: str
    """Named in the access log; never part of a reply."""
    rights: frozenset[str] = frozenset()
    """What it may do beyond calling at all; the app gives them their meaning."""
    tenants: frozenset[str] | None = None
    """The tenants whose notes it may send; ``None``: all."""


ANYBODY = HttpClient("anybody")
"""The client of a server that asks for no token."""


def digest_token(token: str) -> bytes:
    """Return the digest by which a token is compared."""
    return sha256(token.encode()).digest()


@dataclass(frozen=True, slots=True)
class ClientBook:
    """The clients by the digests of their tokens."""

    by_digest: tuple[tuple[bytes, HttpClient], ...] = field(default=(), repr=False)
    otherwise: HttpClient | None = None
    """The client of a request without a token; ``None``: such a request is refused."""

    @classmethod
    def open_to(cls, client: HttpClient) -> Self:
        """Make a book that asks for no token."""
        return cls((), client)

    @classmethod
    def of_tokens(cls, tokens: Iterable[tuple[str, HttpClient]]) -> Self:
        """Make a book from tokens."""
        return cls(tuple((digest_token(token), client) for token, client in tokens))

    def find(self, authorization: bytes | None) -> HttpClient | None:
        """Find the client of an ``Authorization`` header (RFC 6750, section 2.1).

        Every token is compared, each in constant time, so that the time says nothing about them.
        """
        if not self.by_digest:
            return self.otherwise
        given = authorization or b""
        if given[: len(_BEARER)].lower() != _BEARER:
            return None
        digest = sha256(given[len(_BEARER) :].strip()).digest()
        found = None
        for known, client in self.by_digest:
            if hmac.compare_digest(known, digest):
                found = client
        return found
