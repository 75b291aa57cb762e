"""Which note of which patient a message is, as far as a plan has to know it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import cast

import orjson

from deidstream.agents.runtime.service import Service
from deidstream.models.keyring import Keyring
from deidstream.models.messages.read_message import read_message
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.errors import NoteField, Rejected
from deidstream.schemas.note import NoteStatus
from deidstream.schemas.source_version import read_moment, read_version

DEFAULT_TENANT = "default"
NO_VERSION = -(2**62)
"""Less than any time and any number."""


_WEIGHTS: Mapping[str, int] = MappingProxyType({NoteStatus.CANCELLED: 2, NoteStatus.CORRECTED: 1})


@dataclass(frozen=True, slots=True)
class VersionAge:
    """What orders the versions of a note: the later fields count where the earlier are equal."""

    moment: int = NO_VERSION
    """The ``source_time``, in milliseconds since 1970."""
    version: int = NO_VERSION
    weight: int = 0
    """A note that is taken back (2) weighs more than one that is corrected (1)."""
    authored: int = NO_VERSION
    """When the note was written, if it states neither time nor version."""

    @classmethod
    def read(cls, stated: Mapping[str, object]) -> "VersionAge":
        """Read the fields of a message; what is wrong with one, its outcome will say."""
        moment = _read_moment(stated.get(NoteField.SOURCE_TIME))
        version = read_version(stated.get(NoteField.VERSION))
        authored = _read_moment(stated.get(NoteField.AUTHORED_AT))
        unknown = moment is None and version is None
        numbers = (moment, version, authored if unknown else None)
        found = [NO_VERSION if number is None else number for number in numbers]
        weight = _weigh(stated.get(NoteField.STATUS))
        # All rows are of one moment: a retraction that states no version takes back every one.
        final = unknown and weight == _WEIGHTS[NoteStatus.CANCELLED]
        return cls(-NO_VERSION if final else found[0], found[1], weight, found[2])


def _read_moment(written: object) -> int | None:
    return read_moment(written) if isinstance(written, str) else None


@dataclass(frozen=True, slots=True)
class NoteIdentity:
    """The ids of a message, and what decides between messages of one note."""

    tenant: str = field(repr=False)
    patient_id: str = field(repr=False)
    note_id: str = field(repr=False)
    age: VersionAge = field(default_factory=VersionAge)
    """Which of two messages of one note is newer."""


def identify(message: bytes, limit_bytes: int) -> NoteIdentity | None:
    """Return the ids of a message; nothing if it is no note, which its outcome will say."""
    try:
        parsed: object = orjson.loads(message)
    except ValueError:
        return None
    if not isinstance(parsed, dict):
        return None
    fields = cast("Mapping[str, object]", parsed)
    if "resourceType" in fields or fields.get("resource") is not None:
        return _read_form(message, limit_bytes)
    tenant, patient_id = fields.get("tenant") or DEFAULT_TENANT, fields.get("patient_id")
    note_id = fields.get("note_id")
    if not (isinstance(tenant, str) and isinstance(patient_id, str) and isinstance(note_id, str)):
        # A clinical document states its ids itself.
        return _read_form(message, limit_bytes)
    return NoteIdentity(tenant, patient_id, note_id, VersionAge.read(fields))


def _read_form(message: bytes, limit_bytes: int) -> NoteIdentity | None:
    try:
        note = read_message(message, limit_bytes=limit_bytes)
    except Rejected:
        return None
    names = (NoteField.SOURCE_TIME, NoteField.VERSION, NoteField.AUTHORED_AT, NoteField.STATUS)
    age = VersionAge.read({name: getattr(note, name) for name in names})
    return NoteIdentity(note.tenant, note.patient_id, note.note_id, age)


def _weigh(status: object) -> int:
    return next((weight for each, weight in _WEIGHTS.items() if each == status), 0)


@dataclass(frozen=True, slots=True)
class IdentityDigests:
    """Names patients and notes by keyed digests."""

    service: Service
    key_version: int

    def patient(self, identity: NoteIdentity) -> int:
        """Return a number of 64 bits of a patient."""
        return int.from_bytes(self._ring(identity).owner(identity.patient_id)[:8])

    def note(self, identity: NoteIdentity) -> bytes:
        """Return the 16 bytes of the pseudonym that outputs of the note have."""
        service = self.service
        own = service.tenant_pipelines.choose(identity.tenant, service.pipeline)
        # A note of a tenant without a policy has no output: any pseudonym will do.
        release = (own or service.pipeline).record_builder.policy.id_release
        return bytes.fromhex(note_pseudonym(self._ring(identity), identity.note_id, release))

    def _ring(self, identity: NoteIdentity) -> Keyring:
        root = self.service.pipeline.record_builder.root
        return Keyring(root, self.key_version, identity.tenant)


def digest_message(message: bytes) -> int:
    """Return a number of 64 bits that differs where messages do."""
    return int.from_bytes(sha256(message).digest()[:8])
