"""The outbox: what is delivered, and what becomes of what cannot be."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import orjson

from deidstream.schemas.errors import LeakKind, Reason, Stage, Unavailable
from deidstream.schemas.outcome import Coordinates, Failed, Outcome, Place
from deidstream.stream.delivery.failures import DeliveryFailed, OversizeRecords, Superseded
from deidstream.stream.delivery.outbox import count_outcome
from deidstream.stream.delivery.positions import Membership, Taken
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.observing import metrics
from deidstream.stream.observing.logs import FIELD
from support.delivery import TOPICS, assigned_outbox
from support.outcomes import anonymized

RAW = ("raw", 0)


@dataclass(slots=True)
class Broker:
    """Keeps what it confirms; fails first; has a size limit."""

    failures: list[Exception] = field(default_factory=list[Exception])
    limit: int = 10**6
    keeps_failed: bool = False
    kept: list[TopicRecord] = field(default_factory=list[TopicRecord])
    at: dict[Place, int] = field(default_factory=dict[Place, int])
    renewed: int = 0

    async def deliver(
        self, records: Sequence[TopicRecord], offsets: Mapping[Place, int], membership: Membership
    ) -> None:
        del membership
        large = {n for n, record in enumerate(records) if len(record.value) > self.limit}
        if large:
            raise OversizeRecords(frozenset(large))
        failure = self.failures.pop(0) if self.failures else None
        if failure is None or self.keeps_failed:
            self.kept += records
            self.at |= offsets
        if failure is not None:
            raise failure

    async def renew(self) -> None:
        self.renewed += 1

    async def committed(self, places: Collection[Place]) -> dict[Place, int]:
        return {place: self.at.get(place, -1) for place in places}

    async def stop(self) -> None:
        pass

    def of(self, topic: str) -> list[TopicRecord]:
        return [record for record in self.kept if record.topic == topic]


def deliver(
    broker: Broker, *outcomes: Outcome, topics: Topics = TOPICS, limits: Mapping[str, int] = {}
) -> dict[int, Outcome]:
    async def run() -> dict[int, Outcome]:
        outbox = assigned_outbox(broker, {RAW: 0}, topics=topics, limits=limits)
        sources = tuple(Coordinates("raw", 0, offset) for offset in range(len(outcomes)))
        taken = Taken(sources, {RAW: 0})
        return await outbox.deliver(taken, outbox.encode(taken, outcomes, [None] * len(outcomes)))

    return asyncio.run(run())


def test_a_note_and_its_risk_go_out_under_the_patients_pseudonym() -> None:
    broker = Broker()
    deliver(broker, anonymized("quiet"))
    assert [record.topic for record in broker.kept] == ["anonymized", "risk"]
    assert {record.key for record in broker.kept} == {b"p" * 32}
    assert broker.at == {RAW: 1}


def test_a_failed_note_leaves_coordinates_and_no_key() -> None:
    broker = Broker()
    deliver(broker, anonymized("quiet"), Failed(Reason.STAGE_FAILED, Stage.DETECT, 3))
    (letter,) = broker.of("quarantine")
    assert letter.key is None
    record = orjson.loads(letter.value)
    assert record["source"] == {"topic": "raw", "partition": 0, "offset": 1}
    assert (record["reason"], record["attempts"]) == ("STAGE_FAILED", 3)


def test_the_same_bytes_are_sent_again_when_kafka_was_away() -> None:
    broker, calm = Broker([Unavailable("kafka"), Unavailable("kafka")]), Broker()
    deliver(broker, anonymized("quiet"))
    deliver(calm, anonymized("quiet"))
    assert broker.kept == calm.kept
    assert broker.renewed == 2


def test_the_producer_is_renewed_after_an_error_that_it_would_keep() -> None:
    broker = Broker([DeliveryFailed("OutOfOrderSequenceNumber")])
    assert len(deliver(broker, anonymized("quiet"))) == 1
    assert (len(broker.kept), broker.renewed) == (2, 1)


def test_what_a_commit_of_unknown_end_has_delivered_is_not_sent_again() -> None:
    broker = Broker([Unavailable("kafka")], keeps_failed=True)
    assert len(deliver(broker, anonymized("quiet"))) == 1
    assert len(broker.kept) == 2


def test_what_was_sent_by_a_member_of_an_older_generation_is_not_sent_again() -> None:
    async def run() -> dict[int, Outcome]:
        outbox = assigned_outbox(broker, {RAW: 0})
        taken = Taken((Coordinates("raw", 0, 0),), {RAW: 0})
        delivering = asyncio.create_task(
            outbox.deliver(taken, outbox.encode(taken, [anonymized("quiet")], [None]))
        )
        await asyncio.sleep(0.01)
        outbox.assignment.revoke()
        outbox.assignment.assign({RAW: 0}, Membership("member", 2), 2)
        return await delivering

    broker = Broker([Superseded(sent=True)], keeps_failed=True)
    assert len(asyncio.run(run())) == 1
    assert len(broker.kept) == 2


def test_notes_of_a_partition_that_was_lost_are_left_to_its_owner() -> None:
    async def run() -> dict[int, Outcome]:
        outbox = assigned_outbox(broker, {RAW: 0})
        taken = Taken((Coordinates("raw", 0, 0),), {RAW: 0})
        notes = outbox.encode(taken, [anonymized("quiet")], [None])
        outbox.assignment.revoke()
        outbox.assignment.assign({("raw", 1): 0}, Membership("member", 2), 2)
        return await outbox.deliver(taken, notes)

    broker = Broker()
    assert asyncio.run(run()) == {}
    assert broker.kept == []


def reasons(broker: Broker) -> list[str]:
    return [orjson.loads(letter.value)["reason"] for letter in broker.of("quarantine")]


def test_an_output_over_the_limit_of_the_broker_is_quarantined_and_its_neighbours_are_not() -> None:
    broker = Broker(limit=2000)
    deliver(broker, anonymized("quiet"), anonymized("x" * 3000), anonymized("calm"))
    assert len(broker.of("anonymized")) == 2
    assert reasons(broker) == ["OUTPUT_TOO_LARGE"]


def test_an_output_over_a_known_limit_is_not_even_sent() -> None:
    broker = Broker()
    limits = {"anonymized": 2000}
    deliver(broker, anonymized("quiet"), anonymized("x" * 3000), limits=limits)
    assert (len(broker.of("anonymized")), reasons(broker)) == (1, ["OUTPUT_TOO_LARGE"])
    assert broker.renewed == 0


def test_spans_go_out_only_where_the_audit_topic_is_on() -> None:
    broker = Broker()
    deliver(broker, anonymized("quiet"), topics=Topics("raw", "a", "r", "q", "audit"))
    (record,) = broker.of("audit")
    assert orjson.loads(record.value)["note_id"] == "n" * 32


def test_unread_dates_are_counted() -> None:
    before = metrics.value("deid_dates_unread_total")
    count_outcome(replace(anonymized("x"), unread_dates=3))
    assert metrics.value("deid_dates_unread_total") == before + 3


def test_a_leak_is_counted_and_logged_by_its_kind(
    expects_errors: list[logging.LogRecord],
) -> None:
    before = metrics.value("deid_leak_scan_hits_total", "known")
    count_outcome(Failed(Reason.LEAK_DETECTED, Stage.VERIFY, leak=LeakKind.KNOWN))
    assert metrics.value("deid_leak_scan_hits_total", "known") == before + 1
    (line,) = expects_errors
    assert (line.msg, getattr(line, FIELD)) == ("leak-stopped", {"kind": LeakKind.KNOWN})
