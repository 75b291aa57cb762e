"""Random seeds, whose only home is the store: what 45 CFR 164.514(c) asks of a code."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws
from deidstream.models.records import Claim, ConsistencyScope, Planned, Recall, ScopedIdentity
from deidstream.models.surrogates.scopes import seed_name

SEED_BYTES = 32
_COMMON = "common"
"""Kind of the seed that a scope's identities share."""


@dataclass(slots=True)
class Seeds:
    """The seeds of one batch: those that the store has, and fresh ones for the rest.

    The first worker that leaves a seed in the store wins, and all draw from the winner's. Without
    ``fresh`` there are no seeds, and surrogates are drawn by the key.
    """

    rings: Callable[[Planned], tuple[Keyring, Keyring]]
    """Returns the keys of a note's tenant: those that make names, and those that seal."""
    fresh: Callable[[], bytes] | None = field(repr=False)
    """Draws 32 bytes from a CSPRNG."""
    known: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes], repr=False)
    _rings: dict[bytes, Keyring] = field(default_factory=dict[bytes, Keyring], repr=False)
    """By the name of each seed, the keys that seal it."""

    @property
    def waiting(self) -> bool:
        """Whether the store still has to answer for some seeds."""
        return len(self.known) < len(self._rings)

    def recall(self, batch: Sequence[Planned]) -> Recall | None:
        """Return the first question to the store; ``None`` if no seeds are needed."""
        if self.fresh is not None:
            for planned in batch:
                names, seals = self.rings(planned)
                self._rings |= dict.fromkeys(_seed_names(names, planned), seals)
        return Recall(tuple(self._rings)) if self._rings else None

    def take_answers(self, asked: Recall | Claim, answers: Sequence[bytes | None]) -> Claim | None:
        """Take seeds from the store's answers; return a claim for those that are missing.

        Raises:
            ValueError: A stored seed was sealed under another key.
        """
        for name, sealed in zip(asked.names, answers, strict=True):
            if sealed is not None:
                self.known[name] = bytes.fromhex(self._rings[name].unseal(name, sealed))
        missing = [name for name in self._rings if name not in self.known]
        return Claim(tuple((name, self._seal_fresh(name)) for name in missing)) if missing else None

    def draws(self, ring: Keyring, names: Keyring, scoped: ScopedIdentity, probe: int) -> Draws:
        """Return the draws of an identity at one probe."""
        scope = scoped.scope.digest.hex()
        if self.fresh is None:
            return Draws(ring, scope, probe)
        own = self.known[_own_name(names, scoped)]
        return Draws(ring, scope, probe, own, self.known[_common_name(names, scoped.scope)])

    def _seal_fresh(self, name: bytes) -> bytes:
        seed = self.fresh() if self.fresh else b""
        if len(seed) != SEED_BYTES:
            msg = f"a seed is {SEED_BYTES} bytes"
            raise ValueError(msg)
        return self._rings[name].seal(name, seed.hex())


def _seed_names(names: Keyring, planned: Planned) -> Iterator[bytes]:
    for scoped in planned.needs:
        yield _own_name(names, scoped)
        yield _common_name(names, scoped.scope)


def _own_name(names: Keyring, scoped: ScopedIdentity) -> bytes:
    return seed_name(names, scoped.scope, "own:" + scoped.identity.kind, scoped.identity.value)


def _common_name(names: Keyring, scope: ConsistencyScope) -> bytes:
    return seed_name(names, scope, _COMMON, "")
