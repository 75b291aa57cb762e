"""Give notes that do not come from Kafka levels by share: among those in Redis, or its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deidstream.models.risk.levels_by_share import OwnRanks
from deidstream.schemas.outcome import Outcome

if TYPE_CHECKING:
    # Callers that keep surrogates in memory need no client of Redis.
    from redis.asyncio import Redis

    from deidstream.agents.runtime.shared_ranks import SharedRanks


@dataclass(slots=True)
class LocalRanks:
    """The levels by share of one process."""

    shared: "SharedRanks | None" = None
    """Where surrogates are in Redis."""
    own: OwnRanks = field(default_factory=OwnRanks)
    """The counts of this process, where they are not."""

    @classmethod
    def in_redis(cls, client: "Redis", deployment: str) -> "LocalRanks":
        """Share counts with the workers of a deployment."""
        from deidstream.agents.runtime.shared_ranks import SharedRanks  # noqa: PLC0415  Redis alone

        return cls(SharedRanks.connect(client, deployment))

    async def rank(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Give the notes that wait for it their level by share, in order."""
        if self.shared is None:
            return self.own.rank(outcomes)
        return await self.shared.rank(outcomes, [None] * len(outcomes))

    async def close(self) -> None:
        """Keep in Redis what was counted."""
        if self.shared is not None:
            await self.shared.flush()
