"""Wait for the positions of the partitions that a worker owns."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.positions import Membership, Positions
from deidstream.stream.observing import metrics


@dataclass(slots=True)
class Assignment:
    """The positions of a worker; deliveries wait here while the group rebalances."""

    positions: Positions = field(default_factory=Positions)
    held: set[Place] = field(default_factory=set[Place])
    """Partitions of which nothing more is read for now."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _known: asyncio.Event = field(default_factory=asyncio.Event)

    def assign(self, offsets: Mapping[Place, int], membership: Membership, reading: int) -> None:
        """Continue from committed positions; see :class:`Positions`."""
        if membership != self.positions.membership:
            metrics.count("deid_rebalances_total")
        self.positions.assign(offsets, membership, reading)
        self._known.set()
        self._signal_change()

    def revoke(self) -> None:
        """Lose all partitions until the next assignment."""
        self.positions.revoke()
        self._known.clear()
        self._signal_change()

    async def membership(self) -> Membership:
        """Wait until positions are known; return for whom."""
        while (current := self.positions.membership) is None:
            await self._known.wait()
        return current

    async def wait_change(self, seen: Membership, seconds: float) -> None:
        """Wait until ``seen`` is over, or for so long."""
        if self.positions.membership == seen:
            changed = self._changed
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), seconds)

    def _signal_change(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
