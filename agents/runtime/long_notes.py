"""Run long notes on a lane of their own, beside the batches of short ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.agents.runtime.service import Service
from deidstream.schemas.outcome import Outcome
from deidstream.stream.lanes.batch_order import BatchOrder, OrderedLane
from deidstream.stream.lanes.lane import Lane

LONG_BYTES = 50_000
"""Bytes of a message from which its note is long: as much text as a full batch of short notes has
(``batch.tokens``, a word piece for three bytes), so a shorter one holds up others no longer than
any batch does."""


def is_long(value: bytes) -> bool:
    """Return whether the note of a message goes through the lane of long notes."""
    return len(value) >= LONG_BYTES


@dataclass(slots=True)
class LongNotes:
    """Brings long notes to their outcomes.

    What the service claims for them comes in no order with what it claims for other notes. So
    notes of a patient may not be run here and there at the same time.
    """

    service: Service
    lane: Lane
    """It takes no turn at text."""
    _order: BatchOrder = field(default_factory=lambda: BatchOrder(1))

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        """Bring each message to its outcome, as the service does."""
        return await self.service.run_on(OrderedLane(self.lane, self._order), values)
