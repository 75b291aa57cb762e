"""Deliver the outcomes of a group of notes; its positions are committed with them."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from deidstream.schemas.errors import Stage, Unavailable
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.outcome import Anonymized, Outcome, Place, Retracted
from deidstream.stream.delivery.assignment import Assignment
from deidstream.stream.delivery.failures import DeliveryFailed, OversizeRecords, Superseded
from deidstream.stream.delivery.outcome_records import EncodedNote, OutcomeEncoder
from deidstream.stream.delivery.positions import Membership, Taken, ends_of
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger
from deidstream.stream.observing.tracing import step
from deidstream.stream.retrying.retry import pause, until_available

LOG = Logger("outbox")
PATIENCE_SECONDS = 15
"""Unconfirmed for this long, Kafka counts as unavailable."""
REBALANCE_SECONDS = 30
"""Longest wait for another generation before it is tried again with this one."""


class Delivery(Protocol):
    """Delivers records and commits positions; see the two kinds of it."""

    async def deliver(
        self,
        records: Sequence[TopicRecord],
        offsets: Mapping[Place, int],
        membership: Membership,
    ) -> None:
        """Deliver records, and commit positions for a member of the group."""
        ...

    async def renew(self) -> None:
        """Start anew after a failure."""
        ...

    async def committed(self, places: Collection[Place]) -> dict[Place, int]:
        """Read the committed positions."""
        ...

    async def stop(self) -> None:
        """Disconnect."""
        ...


@dataclass(slots=True)
class Attempt:
    """A group of notes on its way, over all tries."""

    taken: Taken
    notes: list[EncodedNote]
    sent: set[int]
    """Notes whose records the broker has, though their positions may not be committed."""
    failures: int = 0

    def records_of(self, admitted: Sequence[int]) -> tuple[list[int], list[TopicRecord]]:
        """Return the records that are still to be sent, and the note of each."""
        left = [(n, r) for n in admitted if n not in self.sent for r in self.notes[n].records]
        return [number for number, _ in left], [record for _, record in left]


@dataclass(slots=True)
class Outbox:
    """Delivers outcomes to the topics."""

    delivery: Delivery
    encoder: OutcomeEncoder
    assignment: Assignment
    health: Health
    _delivering: asyncio.Lock = field(default_factory=asyncio.Lock)
    """There is one transaction at a time; groups that share no partition may be ready at once."""

    def use_stamp(self, stamp: PipelineStamp) -> None:
        """State another pipeline in dead letters from now on."""
        self.encoder = replace(self.encoder, stamp=stamp)

    def encode(
        self, taken: Taken, outcomes: Sequence[Outcome], traceparents: Sequence[bytes | None]
    ) -> list[EncodedNote]:
        """Encode the outcome of each message; see :class:`OutcomeEncoder`."""
        encoder = self.encoder
        notes = zip(taken.sources, outcomes, traceparents, strict=True)
        return [encoder.encode(*note) for note in notes]

    async def deliver(self, taken: Taken, notes: Sequence[EncodedNote]) -> dict[int, Outcome]:
        """Deliver the notes of a group that this worker may deliver.

        While Kafka is unavailable it waits and sends the same bytes again. While the group
        rebalances it waits for the next assignment. Notes of partitions that were lost are left to
        their new owner.

        Returns:
            The outcome of each note that was delivered, by its number.
        """
        attempt = Attempt(taken, list(notes), set())
        async with self._delivering:
            await self._deliver(attempt)
        for number in attempt.sent:
            count_outcome(attempt.notes[number].outcome)
        return {number: attempt.notes[number].outcome for number in sorted(attempt.sent)}

    async def _deliver(self, attempt: Attempt) -> None:
        records = sum(len(note.records) for note in attempt.notes)
        timed = metrics.observe_time("deid_stage_seconds", Stage.DELIVER)
        with step(Stage.DELIVER, notes=len(attempt.notes), records=records), timed:
            while not await self._try(attempt):
                pass

    async def _try(self, attempt: Attempt) -> bool:
        """Deliver what may be delivered; return whether nothing is left to be tried."""
        membership = await self.assignment.membership()
        admitted = self.assignment.positions.admit(attempt.taken)
        if not admitted:
            return True
        owners, records = attempt.records_of(admitted)
        ends = ends_of([attempt.taken.sources[number] for number in admitted])
        try:
            await self._await_broker(records, ends, membership)
        except OversizeRecords as oversize:
            for number in {owners[record] for record in oversize.records}:
                attempt.notes[number] = self.encoder.refuse_oversize(attempt.notes[number])
            await self._recover(attempt, admitted, membership)
        except Superseded as over:
            attempt.sent.update(admitted if over.sent else ())
            await self.assignment.wait_change(membership, REBALANCE_SECONDS)
        except Unavailable:
            await self._recover(attempt, admitted, membership)
        except DeliveryFailed as failed:
            await self._pause_after(attempt, failed)
            await self._recover(attempt, admitted, membership)
        else:
            attempt.sent.update(admitted)
            self.assignment.positions.advance(ends)
            return True
        return False

    async def _await_broker(
        self, records: Sequence[TopicRecord], ends: Mapping[Place, int], membership: Membership
    ) -> None:
        delivering = asyncio.ensure_future(self.delivery.deliver(records, ends, membership))
        try:
            done, _ = await asyncio.wait({delivering}, timeout=PATIENCE_SECONDS)
            if done:
                return await delivering
            self.health.record_unavailable("kafka")
            try:
                return await delivering
            finally:
                self.health.record_available("kafka")
        finally:
            delivering.cancel()

    async def _recover(
        self, attempt: Attempt, admitted: Sequence[int], membership: Membership
    ) -> None:
        """Start anew, and learn what the last try has committed."""
        places = list(attempt.taken.starts)

        async def renew() -> dict[Place, int]:
            await self.delivery.renew()
            return await self.delivery.committed(places)

        while True:
            try:
                committed = await until_available(renew, health=self.health)
                break
            except DeliveryFailed as failed:
                await self._pause_after(attempt, failed)
        positions = self.assignment.positions
        if positions.membership == membership:
            positions.advance(committed)
            left = set(positions.admit(attempt.taken))
            attempt.sent.update(number for number in admitted if number not in left)

    async def _pause_after(self, attempt: Attempt, failed: DeliveryFailed) -> None:
        # Kafka is not away: the stall clock of /livez runs on.
        attempt.failures += 1
        LOG.warning("delivery-failed", kind=failed.kind, attempt=attempt.failures)
        await pause(attempt.failures)


def count_outcome(outcome: Outcome) -> None:
    """Count the outcome of a note."""
    if isinstance(outcome, Anonymized):
        metrics.count("deid_notes_total", "emitted")
        metrics.count("deid_risk_level_total", outcome.risk.level, outcome.risk.rule)
        metrics.count("deid_surrogate_lookups_total", "displaced", by=outcome.displaced)
        metrics.count("deid_dates_unread_total", by=outcome.unread_dates)
        for replacement in outcome.note.permit.replacements:
            metrics.count("deid_entities_total", replacement.span.name)
        return
    if isinstance(outcome, Retracted):
        metrics.count("deid_notes_total", "retracted")
        return
    metrics.count("deid_notes_total", "quarantined")
    metrics.count("deid_quarantine_total", outcome.reason)
    if outcome.leak:
        metrics.count("deid_leak_scan_hits_total", outcome.leak)
        LOG.error("leak-stopped", kind=outcome.leak)
