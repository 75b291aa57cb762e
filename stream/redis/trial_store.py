"""A store for notes that are only tried: it reads another store and writes nothing to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.schemas.ports import SurrogateStore
from deidstream.stream.redis.memory_store import MemorySurrogateStore


@dataclass(frozen=True, slots=True)
class TrialStore:
    """Keeps to itself what is claimed, in memory; what the other store has comes first."""

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
