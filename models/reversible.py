"""What lets those entitled find the originals behind the surrogates of one output.

A record's name is a keyed digest of output and surrogate; its value is encrypted (AES-SIV, RFC
5297) under a key of the tenant, with tenant and name as associated data: it can be opened neither
for another tenant nor under another name. The root key is one of its own, never that of surrogates.
"""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from deidstream.models.keyring import canonical, prefixed
from deidstream.models.stages import standing
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import AnonymizedNote
from deidstream.schemas.policy import OperatorName

IRREVERSIBLE = frozenset({OperatorName.REDACT, OperatorName.MASK, OperatorName.KEEP})
"""Operators whose text stands for no original, or is it."""
_BLOCK = 64
"""Values are filled up to this many bytes, so that their length tells little."""


@dataclass(frozen=True, slots=True, order=True)
class Original:
    """What stood in the place of a surrogate."""

    label: PhiLabel
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of one surrogate of one output."""

    policy: str = ""
    """Digest of the policy that made the output."""
    originals: tuple[Original, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ReverseKeys:
    """The keys of one tenant's records. Its ``repr`` shows none of them."""

    root: bytes = field(repr=False)
    tenant: str

    def name(self, output_id: str, surrogate: str) -> bytes:
        """16 bytes under which the originals of a surrogate are kept."""
        parts = prefixed(output_id, canonical(surrogate))
        return hmac.digest(self._key("name", 32), parts, sha256)[:16]

    def seal(self, name: bytes, record: Record) -> bytes:
        """Encrypt the record of a surrogate; the same always gives the same."""
        originals = [(each.label, each.text) for each in sorted(set(record.originals))]
        plain = orjson.dumps([record.policy, originals])
        filled = plain + b" " * (-len(plain) % _BLOCK)
        return AESSIV(self._key("seal", 64)).encrypt(filled, self._bound(name))

    def unseal(self, name: bytes, sealed: bytes) -> Record:
        """Decrypt what ``seal`` made.

        Raises:
            ValueError: It was sealed for another tenant or name, under another key, or was altered.
        """
        try:
            plain = AESSIV(self._key("seal", 64)).decrypt(sealed, self._bound(name))
        except InvalidTag:
            msg = "a reversible record cannot be opened: another key or tenant, or altered"
            raise ValueError(msg) from None
        policy, originals = orjson.loads(plain)
        return Record(policy, tuple(Original(PhiLabel(label), text) for label, text in originals))

    def _bound(self, name: bytes) -> list[bytes]:
        return [self.tenant.encode(), name]

    def _key(self, purpose: str, length: int) -> bytes:
        info = prefixed("deidstream reverse", self.tenant, purpose)
        return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(self.root)


def reversible(keys: ReverseKeys, original: str, note: AnonymizedNote) -> list[tuple[bytes, bytes]]:
    """Make the records of one emitted note: pairs of name and sealed value.

    A surrogate that stands for several originals in the note has one record with all of them.

    Args:
        keys: Of the note's tenant.
        original: The text that came in.
        note: What was made of it.
    """
    found: dict[bytes, list[Original]] = {}
    for surrogate, span in _stand_ins(keys, original, note):
        found.setdefault(surrogate, []).append(span)
    policy = note.policy.sha256
    return [(name, keys.seal(name, Record(policy, tuple(o)))) for name, o in found.items()]


def _stand_ins(
    keys: ReverseKeys, original: str, note: AnonymizedNote
) -> Iterator[tuple[bytes, Original]]:
    for each in standing(note.permit.replacements):
        if each.operator not in IRREVERSIBLE:
            text = original[each.span.start : each.span.end]
            yield keys.name(note.output_id, each.text), Original(each.span.label, text)


def opened(
    keys: ReverseKeys, names: Sequence[bytes], values: Sequence[bytes | None]
) -> list[Record]:
    """Open records; what the store does not know has no originals.

    Raises:
        ValueError: A record cannot be opened.
    """
    pairs = zip(names, values, strict=True)
    return [Record() if value is None else keys.unseal(name, value) for name, value in pairs]
