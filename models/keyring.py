"""Derive keys from the root key, and draw by them.

Source: derivation as in RFC 5869 (HKDF-SHA256), one key per tenant, purpose and label, as NIST
SP 800-53 SI-19(4) advises; values are encrypted by AES-SIV (RFC 5297), which needs no nonce and so
gives every worker the same bytes.
"""

import hmac
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from struct import Struct
from types import MappingProxyType

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ROOT_BYTES = 32
_VERSION_BYTES = 2
_FOUR_NUMBERS, _ALL_NUMBERS = Struct(">4Q"), 1 << 64
_HASH = "sha256"
"""By its name, OpenSSL finds it in half the time that it needs for the function of ``hashlib``."""


def join_prefixed(*parts: str | bytes) -> bytes:
    """Join parts so that no two different sequences give the same bytes."""
    joined: list[bytes] = []
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        joined += (len(raw).to_bytes(4, "big"), raw)
    return b"".join(joined)


def canonical(text: str) -> str:
    """Return the normal form by which mentions share an identity: NFKC, no controls, folded."""
    if text.isascii() and text.isprintable():  # nearly always, and nothing to normalise
        folded = text.lower()
        return " ".join(folded.split()) if " " in folded else folded
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = (c for c in folded if unicodedata.category(c) not in {"Cc", "Cf"} or c.isspace())
    return " ".join("".join(kept).split())


@lru_cache(maxsize=65_536)
def _derive(root: bytes, version: int, tenant: str, purpose: str, length: int = 32) -> bytes:
    info = join_prefixed("deidstream", str(version), tenant, purpose)
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(root)


class Draw:
    """A stream of numbers that depends on its seed alone (HMAC-SHA256 in counter mode)."""

    __slots__ = ("_counter", "_numbers", "_seed")

    def __init__(self, seed: bytes) -> None:
        """Start the stream of ``seed``, a secret of at least 16 bytes."""
        self._seed = seed
        self._counter = 0
        self._numbers: list[int] = []

    def _next(self) -> int:
        """Return the next number of 64 bits; each block holds four, in order."""
        if not self._numbers:
            block = hmac.digest(self._seed, self._counter.to_bytes(8, "big"), _HASH)
            self._numbers = [*reversed(_FOUR_NUMBERS.unpack(block))]
            self._counter += 1
        return self._numbers.pop()

    def below(self, bound: int) -> int:
        """Draw a number of ``range(bound)``, each as likely, by rejection.

        Raises:
            ValueError: ``bound`` is not positive.
        """
        if bound < 1:
            msg = "nothing to draw from"
            raise ValueError(msg)
        limit = _ALL_NUMBERS - _ALL_NUMBERS % bound
        while (number := self._next()) >= limit:
            pass
        return number % bound

    def pick(self, options: Sequence[str]) -> str:
        """Draw one of ``options``."""
        return options[self.below(len(options))]


def seed_draw(seed: bytes, *parts: str | bytes) -> Draw:
    """Return a stream of draws that depends on a secret ``seed`` and ``parts`` alone."""
    return Draw(hmac.digest(seed, join_prefixed(*parts), _HASH))


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys of one tenant. Its ``repr`` shows none of them."""

    root: bytes = field(repr=False)
    version: int
    tenant: str
    older: Mapping[int, bytes] = field(
        default_factory=lambda: MappingProxyType({}), repr=False, hash=False
    )
    """Roots of earlier versions: what they sealed stays readable, nothing new is sealed by them."""

    def anchor(self) -> "Keyring":
        """Return the keys of the oldest root that is kept; their names outlive a rotation."""
        oldest = min(self.older, default=self.version)
        return self if oldest >= self.version else self._of(oldest)

    def owner(self, patient_id: str) -> bytes:
        """Return 16 bytes under which a store keeps all its values of one patient."""
        return self.digest("owner", patient_id)

    def _of(self, version: int) -> "Keyring":
        root = self.root if version == self.version else self.older.get(version)
        if root is None:
            msg = "a stored value was sealed under a key version that is not kept"
            raise ValueError(msg)
        return Keyring(root, version, self.tenant)

    def _key(self, purpose: str) -> bytes:
        return _derive(self.root, self.version, self.tenant, purpose)

    def digest(self, purpose: str, *parts: str | bytes) -> bytes:
        """Return 16 bytes that identify ``parts`` and reveal nothing of them without the key."""
        return hmac.digest(self._key(purpose), join_prefixed(*parts), _HASH)[:16]

    def pseudonym(self, purpose: str, *parts: str) -> str:
        """Return a pseudonym of 32 hexadecimal digits."""
        return self.digest("pseudonym:" + purpose, *parts).hex()

    def draw(self, purpose: str, *parts: str | bytes) -> Draw:
        """Return a stream of draws that depends on the key and ``parts`` alone."""
        return seed_draw(self._key("draw:" + purpose), *parts)

    def versions(self) -> "tuple[Keyring, ...]":
        """Return the keys of each root that is kept, the newest first."""
        older = (self._of(version) for version in sorted(self.older, reverse=True))
        return (Keyring(self.root, self.version, self.tenant), *older)

    def seal_from(self, secret: str, name: bytes, value: str) -> bytes:
        """Encrypt ``value`` under ``name`` so that the key alone does not open it.

        Args:
            secret: What somebody who opens it must know beside the key.
            name: Where it is stored.
            value: What is kept.
        """
        return self._cipher_from(secret).encrypt(value.encode() + b"\0", [name])

    def unseal_from(self, secret: str, name: bytes, sealed: bytes) -> str:
        """Decrypt what ``seal_from`` made.

        Raises:
            ValueError: It was made under another key, secret or name, or was altered.
        """
        try:
            plain = self._cipher_from(secret).decrypt(sealed, [name])
        except InvalidTag:
            msg = "a stored value was sealed under another key"
            raise ValueError(msg) from None
        return plain[:-1].decode()

    def _cipher_from(self, secret: str) -> AESSIV:
        return AESSIV(hmac.digest(self._key("seal-from"), join_prefixed(secret), "sha512"))

    def seal(self, name: bytes, value: str) -> bytes:
        """Encrypt ``value`` for the store under ``name``; the same always gives the same."""
        cipher = _cipher(self)
        version = self.version.to_bytes(_VERSION_BYTES, "big")
        return version + cipher.encrypt(value.encode() + b"\0", [name])

    def unseal(self, name: bytes, sealed: bytes) -> str:
        """Decrypt what ``seal`` made for ``name``, now or under one of the older roots.

        Raises:
            ValueError: It was made under another key or name, or was altered.
        """
        cipher = _cipher(self._of(int.from_bytes(sealed[:_VERSION_BYTES], "big")))
        try:
            plain = cipher.decrypt(sealed[_VERSION_BYTES:], [name])
        except InvalidTag:
            msg = "a stored value was sealed under another key"
            raise ValueError(msg) from None
        return plain[:-1].decode()


def _cipher(ring: Keyring) -> AESSIV:
    return AESSIV(_derive(ring.root, ring.version, ring.tenant, "seal", 64))
