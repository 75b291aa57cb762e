"""Store the mapping in memory, for files, trials and tests; this loads no client of Redis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from deidstream.schemas.ports import SurrogateStore

OWNER_BYTES = 16
"""A name consists of its owner, which has so many bytes, and its item, the rest."""


@dataclass(frozen=True, slots=True)
class MemorySurrogateStore:
    """Keeps surrogates in the memory of one process."""

    _values: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes], repr=False)

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names``; ``None`` for the unknown."""
        return [self._values.get(name) for name in names]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Write each value unless its name has one; return the winners."""
        return [self._values.setdefault(name, value) for name, value in pairs]

    def list_entries(self, start: int) -> list[tuple[bytes, bytes]]:
        """Return the names with their values, without the first ``start`` that were claimed."""
        return list(islice(self._values.items(), start, None))

    def restore(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Take over what another store has listed."""
        self._values.update(entries)

    async def forget(self, owners: Sequence[bytes]) -> int:
        """Delete all values of ``owners``; return how many there were."""
        gone = [name for name in self._values if name[:OWNER_BYTES] in set(owners)]
        for name in gone:
            del self._values[name]
        return len(gone)


@dataclass(frozen=True, slots=True)
class TrialStore:
    """Reads another store and writes nothing to it: claims are kept in memory.

    What the other store has comes first.
    """

    store: SurrogateStore
    _claimed: MemorySurrogateStore = field(default_factory=MemorySurrogateStore)

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Read the values of ``names``; ``None`` for the unknown.

        Raises:
            Unavailable: The other store is unavailable.
        """
        stored = await self.store.recall(names)
        own = await self._claimed.recall(names)
        return [value or other for value, other in zip(stored, own, strict=True)]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        """Keep each value whose name has none; return the winners.

        Raises:
            Unavailable: The other store is unavailable.
        """
        stored = await self.store.recall([name for name, _ in pairs])
        own = await self._claimed.claim(pairs)
        return [value or other for value, other in zip(stored, own, strict=True)]
