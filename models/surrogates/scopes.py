"""Consistency scopes, and the names and values of the store within them.

An original always has one surrogate within its scope: a mention, a document, a patient or a tenant.

Source: ENISA, Pseudonymisation techniques and best practices (2019), section 5.2; the two scopes in
between are ours.
"""

from dataclasses import dataclass

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Identity
from deidstream.models.phi.names.identity import FAMILY, GIVEN
from deidstream.models.records import ConsistencyScope
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope

POOLS = "7"
"""Raised when the pools that surrogates are drawn from change; earlier claims are then ignored."""


@dataclass(frozen=True, slots=True)
class MappingSpace:
    """What a mapping of originals to surrogates is of, beside the key; two spaces share nothing."""

    epoch: int = 1
    """Number of the mapping epoch."""
    release: str = ""
    """Release whose surrogates these are; empty: those that the releases of a key share."""

    def parts(self) -> tuple[str, ...]:
        """Return what the digest of a scope is made of."""
        return (POOLS, str(self.epoch), *(("release", self.release) if self.release else ()))


def make_scope(
    ring: Keyring, kind: Scope, space: MappingSpace, note: RawNote, start: int
) -> ConsistencyScope:
    """Make the scope of a mention.

    Args:
        ring: The keys that make names.
        kind: How far the scope reaches.
        space: The mapping that the surrogates are of.
        note: The note that holds the mention.
        start: Where the mention begins, in code points.
    """
    members = {
        Scope.MENTION: (note.patient_id, note.note_id, str(start)),
        Scope.DOCUMENT: (note.patient_id, note.note_id),
        Scope.PATIENT: (note.patient_id,),
        Scope.TENANT: (),
    }[kind]
    digest = ring.digest("scope", *space.parts(), kind.value, *members)
    owner = b"" if kind is Scope.TENANT else ring.owner(note.patient_id)
    return ConsistencyScope(digest, owner, kind)


def written_forms(identity: Identity, surrogate: str) -> tuple[str, ...]:
    """Return the normal forms in which a surrogate may be written.

    A name has one more where it is drawn with its short form, or with the form for a woman.

    >>> written_forms(Identity(GIVEN, "gregory"), "Martin Marty")
    ('martin', 'marty')
    """
    text = canonical(surrogate)
    return tuple(text.split()) if identity.kind in {GIVEN, FAMILY} else (text,)


def slot_name(ring: Keyring, scope: ConsistencyScope, form: str) -> bytes:
    """Return the name under which the store keeps the holder of ``form``, a normal form."""
    return _store_name(ring, scope, ring.digest("slot", scope.digest, form))


def seed_name(ring: Keyring, scope: ConsistencyScope, kind: str, value: str) -> bytes:
    """Return the name under which the store keeps the random seed of an identity or a scope."""
    return _store_name(ring, scope, ring.digest("seed", scope.digest, kind, value))


def holder_value(ring: Keyring, name: bytes, identity: Identity) -> bytes:
    """Return the value of the slot ``name`` while the identity holds it."""
    return ring.digest("holder", name, identity.kind, identity.value)


def reserved_value(ring: Keyring, name: bytes) -> bytes:
    """Return the value of the slot ``name`` of an original, which no identity may hold."""
    return ring.digest("original", name)


def _store_name(ring: Keyring, scope: ConsistencyScope, item: bytes) -> bytes:
    # Values that all patients share are spread over owners, and stay when a patient is forgotten.
    return (scope.owner or ring.digest("owner-tenant", item)) + item
