"""Within what one original always has one surrogate: mention, document, patient or tenant.

Source: ENISA, Pseudonymisation techniques and best practices (2019), section 5.2; the two scopes in
between are ours.
"""

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Identity
from deidstream.models.phi.names.identity import FAMILY, GIVEN
from deidstream.models.records import Realm
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope

POOLS = "3"
"""Raised when what surrogates are drawn from changes; what was claimed before is then left."""


def realm_of(ring: Keyring, scope: Scope, epoch: int, note: RawNote, start: int) -> Realm:
    """The scope of a mention.

    Args:
        ring: The keys that make names.
        scope: How far it reaches.
        epoch: Number of the mapping epoch; another number shares nothing with it.
        note: Where the mention stands.
        start: Where it begins, in code points.
    """
    whose = {
        Scope.MENTION: (note.patient_id, note.note_id, str(start)),
        Scope.DOCUMENT: (note.patient_id, note.note_id),
        Scope.PATIENT: (note.patient_id,),
        Scope.TENANT: (),
    }[scope]
    digest = ring.digest("scope", POOLS, str(epoch), scope.value, *whose)
    return Realm(digest, b"" if scope is Scope.TENANT else ring.owner(note.patient_id), scope)


def slot_name(ring: Keyring, realm: Realm, form: str) -> bytes:
    """Where the store keeps whose surrogate ``form``, a text in normal form, is."""
    return _kept(ring, realm, ring.digest("slot", realm.digest, form))


def forms(identity: Identity, surrogate: str) -> tuple[str, ...]:
    """What a surrogate may be written as, in normal form: of a name its short form too, or the one
    that women bear.

    >>> forms(Identity(GIVEN, "gregory"), "Martin Marty")
    ('martin', 'marty')
    """  # noqa: D205
    text = canonical(surrogate)
    return tuple(text.split()) if identity.kind in {GIVEN, FAMILY} else (text,)


def seed_name(ring: Keyring, realm: Realm, kind: str, value: str) -> bytes:
    """Where the store keeps the random seed of an identity, or of what a scope shares."""
    return _kept(ring, realm, ring.digest("seed", realm.digest, kind, value))


def holder(ring: Keyring, name: bytes, identity: Identity) -> bytes:
    """What the store keeps in the slot ``name`` that is the identity's."""
    return ring.digest("holder", name, identity.kind, identity.value)


def original(ring: Keyring, name: bytes) -> bytes:
    """What the store keeps in the slot ``name`` of an original: it is to be nobody's surrogate."""
    return ring.digest("original", name)


def _kept(ring: Keyring, realm: Realm, item: bytes) -> bytes:
    # What all patients share is spread: it stays when one of them is forgotten.
    return (realm.owner or ring.digest("owner-tenant", item)) + item
