"""Reversible records, which hold the originals behind the surrogates of one output.

The name of a record is a keyed digest of output and surrogate. Its value is encrypted (AES-SIV, RFC
5297) under a key of the tenant, with tenant and name as associated data, so it cannot be opened for
another tenant or under another name. The root key is separate from the one of surrogates.

Each patient has a list of the names of its records, so that a patient can be forgotten. The name of
the list is a keyed digest and its entries are sealed: without the key, the store does not show
which records belong to one patient.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from deidstream.models.keyring import canonical, join_prefixed
from deidstream.models.operators.redact import is_label
from deidstream.models.records import remaining
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import AnonymizedNote
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.ports import SealedRecord

IRREVERSIBLE = frozenset({OperatorName.REDACT, OperatorName.MASK, OperatorName.KEEP})
"""Operators whose text has no original behind it, or is the original."""
_BLOCK = 64
"""Values are padded to a multiple of this many bytes, so that their length shows little."""
_MARK = b"mark"


@dataclass(frozen=True, slots=True, order=True)
class Original:
    """The text that a surrogate replaced."""

    label: str
    """Its name, which may be one of the site's own."""
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReversibleRecord:
    """The originals behind one surrogate of one output."""

    policy: str = ""
    """Digest of the policy that made the output."""
    originals: tuple[Original, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ReversibleKeys:
    """The keys of one tenant's records. Its ``repr`` shows none of them."""

    root: bytes = field(repr=False)
    tenant: str

    def name(self, output_id: str, surrogate: str) -> bytes:
        """Return the name of the record of a surrogate, 16 bytes."""
        parts = join_prefixed(output_id, canonical(surrogate))
        return hmac.digest(self._key("name", 32), parts, sha256)[:16]

    def seal(self, name: bytes, record: ReversibleRecord) -> bytes:
        """Encrypt a record; the same record always gives the same bytes."""
        originals = [(each.label, each.text) for each in sorted(set(record.originals))]
        plain = orjson.dumps([record.policy, originals])
        filled = plain + b" " * (-len(plain) % _BLOCK)
        return AESSIV(self._key("seal", 64)).encrypt(filled, self._associated_data(name))

    def unseal(self, name: bytes, sealed: bytes) -> ReversibleRecord:
        """Decrypt what ``seal`` made.

        Raises:
            ValueError: It was sealed for another tenant or name, under another key, or was altered.
        """
        try:
            plain = AESSIV(self._key("seal", 64)).decrypt(sealed, self._associated_data(name))
        except InvalidTag:
            msg = "a reversible record cannot be opened: another key or tenant, or altered"
            raise ValueError(msg) from None
        policy, originals = orjson.loads(plain)
        return ReversibleRecord(policy, tuple(Original(label, text) for label, text in originals))

    def patient(self, patient_id: str) -> bytes:
        """Return the name of the list of a patient's records, 16 bytes."""
        return hmac.digest(self._key("patient", 32), patient_id.encode(), sha256)[:16]

    def seal_entry(self, patient: bytes, name: bytes) -> bytes:
        """Encrypt the name of a record for its patient's list; always to the same bytes."""
        return AESSIV(self._key("entry", 64)).encrypt(name, self._associated_data(patient))

    def unseal_entry(self, patient: bytes, entry: bytes) -> bytes:
        """Decrypt what ``seal_entry`` made: the name of a record.

        Raises:
            ValueError: It was sealed for another tenant or patient, or under another key.
        """
        try:
            return AESSIV(self._key("entry", 64)).decrypt(entry, self._associated_data(patient))
        except InvalidTag:
            msg = "a patient's list of reversible records cannot be read: another key, or altered"
            raise ValueError(msg) from None

    def _associated_data(self, name: bytes) -> list[bytes]:
        return [self.tenant.encode(), name]

    def _key(self, purpose: str, length: int) -> bytes:
        return _derive_key(self.root, self.tenant, purpose, length)


@lru_cache(maxsize=1_024)
def _derive_key(root: bytes, tenant: str, purpose: str, length: int) -> bytes:
    info = join_prefixed("deidstream reverse", tenant, purpose)
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(root)


def make_records(keys: ReversibleKeys, note: RawNote, made: AnonymizedNote) -> list[SealedRecord]:
    """Make the records of one emitted note.

    A surrogate that replaces several originals in the note has one record with all of them.

    Args:
        keys: The keys of the note's tenant.
        note: The input.
        made: The output.
    """
    found: dict[bytes, list[Original]] = {}
    for name, original in _replaced_originals(keys, note.text, made):
        found.setdefault(name, []).append(original)
    patient, policy = keys.patient(note.patient_id), made.policy.sha256
    return [
        SealedRecord(
            patient,
            keys.seal_entry(patient, name),
            name,
            keys.seal(name, ReversibleRecord(policy, tuple(each))),
        )
        for name, each in found.items()
    ]


def _replaced_originals(
    keys: ReversibleKeys, original: str, note: AnonymizedNote
) -> Iterator[tuple[bytes, Original]]:
    for each in remaining(note.permit.replacements):
        if each.operator not in IRREVERSIBLE and not is_label(each.text, each.span):
            text = original[each.span.start : each.span.end]
            yield keys.name(note.output_id, each.text), Original(each.span.name, text)


def make_key_mark(root: bytes, version: int) -> bytes:
    """Return the mark of a root key under which records are stored: version and sealed constant."""
    sealed = ReversibleKeys(root, "").seal(_MARK, ReversibleRecord())
    return b"%d:%b" % (version, sealed)


def matches_mark(root: bytes, mark: bytes) -> bool:
    """Return whether a mark was made with a root key; its version does not matter."""
    try:
        return ReversibleKeys(root, "").unseal(_MARK, mark.partition(b":")[2]) == ReversibleRecord()
    except ValueError:
        return False
