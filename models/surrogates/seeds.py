"""Random seeds, whose only home is the store: what 45 CFR 164.514(c) asks of a code."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws
from deidstream.models.records import Claim, Planned, Realm, Recall, Scoped
from deidstream.models.surrogates.scopes import seed_name

SEED_BYTES = 32
_COMMON = "common"
"""Kind of the seed that a scope's identities share."""


@dataclass(slots=True)
class Seeds:
    """The seeds of one batch: those that the store has, and fresh ones for the rest.

    Whoever is first to leave a seed in the store wins; all draw from the winner's. Without
    ``fresh`` there are none: surrogates are drawn by the key.
    """

    rings: Callable[[Planned], tuple[Keyring, Keyring]]
    """Of a note's tenant: the keys that make names, and those that seal."""
    fresh: Callable[[], bytes] | None = field(repr=False)
    """Draws 32 bytes from a CSPRNG."""
    known: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes], repr=False)
    _rings: dict[bytes, Keyring] = field(default_factory=dict[bytes, Keyring], repr=False)

    @property
    def waiting(self) -> bool:
        """Whether seeds are still to be heard of."""
        return len(self.known) < len(self._rings)

    def recall(self, batch: Sequence[Planned]) -> Recall | None:
        """What to ask the store for first; ``None`` if no seeds are needed."""
        if self.fresh is not None:
            for planned in batch:
                names, seals = self.rings(planned)
                self._rings |= dict.fromkeys(_names(names, planned), seals)
        return Recall(tuple(self._rings)) if self._rings else None

    def hear(self, asked: Recall | Claim, answers: Sequence[bytes | None]) -> Claim | None:
        """Take seeds from the store's answers; what to claim next, if any is missing.

        Raises:
            ValueError: A stored seed was sealed under another key.
        """
        for name, sealed in zip(asked.names, answers, strict=True):
            if sealed is not None:
                self.known[name] = bytes.fromhex(self._rings[name].unseal(name, sealed))
        missing = [name for name in self._rings if name not in self.known]
        return Claim(tuple((name, self._sealed(name)) for name in missing)) if missing else None

    def draws(self, ring: Keyring, names: Keyring, scoped: Scoped, probe: int) -> Draws:
        """The draws of an identity."""
        scope = scoped.realm.digest.hex()
        if self.fresh is None:
            return Draws(ring, scope, probe)
        own = self.known[_own(names, scoped)]
        return Draws(ring, scope, probe, own, self.known[_shared(names, scoped.realm)])

    def _sealed(self, name: bytes) -> bytes:
        seed = self.fresh() if self.fresh else b""
        if len(seed) != SEED_BYTES:
            msg = f"a seed is {SEED_BYTES} bytes"
            raise ValueError(msg)
        return self._rings[name].seal(name, seed.hex())


def _own(names: Keyring, scoped: Scoped) -> bytes:
    return seed_name(names, scoped.realm, "own:" + scoped.identity.kind, scoped.identity.value)


def _shared(names: Keyring, realm: Realm) -> bytes:
    return seed_name(names, realm, _COMMON, "")


def _names(names: Keyring, planned: Planned) -> Iterator[bytes]:
    for scoped in planned.needs:
        yield _own(names, scoped)
        yield _shared(names, scoped.realm)
