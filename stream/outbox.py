"""Deliver outcomes to Kafka: a message is acknowledged when the broker has all of its records."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, MessageSizeTooLargeError

from deidstream.schemas.errors import Reason, Stage, Unavailable
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.outcome import Anonymized, Coordinates, DeadLetter, Failed, Outcome
from deidstream.schemas.wire import (
    encode_anonymized,
    encode_audit,
    encode_dead_letter,
    encode_risk,
)
from deidstream.stream import metrics
from deidstream.stream.health import Health
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.logs import Logger
from deidstream.stream.retry import until_available

LOG = Logger("outbox")
PATIENCE_SECONDS = 15
"""Unconfirmed for this long, Kafka counts as unavailable."""
STOP_SECONDS = 5


@dataclass(frozen=True, slots=True)
class TopicRecord:
    """One record on its way to a topic."""

    topic: str
    key: bytes | None = field(repr=False)
    value: bytes = field(repr=False)


class OversizeRecord(Exception):
    """The broker's size limit is below this record; it will never accept it."""


@dataclass(frozen=True, slots=True)
class KafkaProducer:
    """An acks=all producer. Order per key is the order of the calls."""

    client: AIOKafkaProducer

    @classmethod
    async def start(
        cls, connection: KafkaConnection, *, idempotent: bool = True
    ) -> "KafkaProducer":
        """Connect.

        Raises:
            Unavailable: Kafka is unavailable.
        """
        client = AIOKafkaProducer(
            **connection.client_options(),
            acks="all",
            enable_idempotence=idempotent,
            linger_ms=2,
            max_request_size=16 * 2**20,
            request_timeout_ms=15_000,
        )
        try:
            await client.start()
        except (KafkaError, OSError):
            await client.stop()
            raise Unavailable("kafka") from None  # noqa: EM101
        return cls(client)

    async def send(self, records: Sequence[TopicRecord]) -> None:
        """Send records and wait for the broker to confirm them all.

        Raises:
            OversizeRecord: A record is over the size limit; the others may have been sent.
            Unavailable: Some were not confirmed; sending the same bytes again is harmless.
        """
        try:
            futures = [await self.client.send(r.topic, r.value, key=r.key) for r in records]
        except MessageSizeTooLargeError:
            raise OversizeRecord from None
        except (KafkaError, OSError):
            raise Unavailable("kafka") from None  # noqa: EM101
        _refuse(await asyncio.gather(*futures, return_exceptions=True))

    async def stop(self) -> None:
        """Send what is buffered, for as long as that may take, then disconnect."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.client.stop(), STOP_SECONDS)


def _refuse(answers: Sequence[object]) -> None:
    failures = [answer for answer in answers if isinstance(answer, BaseException)]
    if any(isinstance(failure, MessageSizeTooLargeError) for failure in failures):
        raise OversizeRecord
    if failures:
        raise Unavailable("kafka")  # noqa: EM101


class Producer(Protocol):
    """Sends records and waits for the broker."""

    async def send(self, records: Sequence[TopicRecord]) -> None:
        """Send records; see :class:`KafkaProducer`."""
        ...


@dataclass(frozen=True, slots=True)
class Outbox:
    """Delivers outcomes to the topics."""

    producer: Producer
    topics: Topics
    stamp: PipelineStamp
    health: Health

    async def deliver(
        self, sources: Sequence[Coordinates], outcomes: Sequence[Outcome]
    ) -> list[Outcome]:
        """Deliver each outcome; return what was delivered when the broker has every record.

        While Kafka is unavailable it waits and sends the same bytes again. An outcome that cannot
        be encoded, or is over the broker's size limit, becomes a dead letter; the others go on.
        """
        pairs = list(zip(sources, outcomes, strict=True))
        with metrics.observe_time("deid_stage_seconds", Stage.DELIVER):
            final = await asyncio.gather(*(self._deliver_one(*pair) for pair in pairs))
        for outcome in final:
            count_outcome(outcome)
        return list(final)

    async def _deliver_one(self, source: Coordinates, outcome: Outcome) -> Outcome:
        try:
            records = self._records(source, outcome)
        except Exception:  # noqa: BLE001 - an encoder may quote what it cannot encode
            outcome = Failed(Reason.STAGE_FAILED, Stage.ENCODE)
            records = self._records(source, outcome)
        try:
            await self._send(records)
        except OversizeRecord:
            outcome = Failed(Reason.TOO_LARGE, Stage.DELIVER)
            await self._send(self._records(source, outcome))
        return outcome

    async def _send(self, records: Sequence[TopicRecord]) -> None:
        await until_available(lambda: self._await_broker(records), health=self.health)

    async def _await_broker(self, records: Sequence[TopicRecord]) -> None:
        sending = asyncio.ensure_future(self.producer.send(records))
        done, _ = await asyncio.wait({sending}, timeout=PATIENCE_SECONDS)
        if done:
            return await sending
        # An idempotent producer keeps what it holds until the broker is back; so nothing is resent.
        self.health.record_unavailable("kafka")
        try:
            return await sending
        finally:
            self.health.record_available("kafka")

    def _records(self, source: Coordinates, outcome: Outcome) -> list[TopicRecord]:
        if isinstance(outcome, Failed):
            letter = encode_dead_letter(DeadLetter(source, outcome, outcome.stamp or self.stamp))
            return [TopicRecord(self.topics.quarantine, None, letter)]
        key = outcome.note.patient_id.encode()
        records = [
            TopicRecord(self.topics.anonymized, key, encode_anonymized(outcome.note)),
            TopicRecord(self.topics.risk, key, encode_risk(outcome)),
        ]
        if self.topics.audit:
            records.append(TopicRecord(self.topics.audit, key, encode_audit(outcome.note)))
        return records


def count_outcome(outcome: Outcome) -> None:
    """Count the outcome of a note."""
    if isinstance(outcome, Anonymized):
        metrics.count("deid_notes_total", "emitted")
        metrics.count("deid_risk_level_total", outcome.risk.level)
        metrics.count("deid_surrogate_lookups_total", "displaced", by=outcome.displaced)
        metrics.count("deid_dates_unread_total", by=outcome.unread_dates)
        for replacement in outcome.note.permit.replacements:
            metrics.count("deid_entities_total", replacement.span.label)
        return
    metrics.count("deid_notes_total", "quarantined")
    metrics.count("deid_quarantine_total", outcome.reason)
    if outcome.leak:
        metrics.count("deid_leak_scan_hits_total", outcome.leak)
        LOG.error("leak-stopped", kind=outcome.leak)
