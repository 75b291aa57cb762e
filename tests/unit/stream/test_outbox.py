"""The outbox: what is delivered, and what becomes of what cannot be."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import orjson

from deidstream.schemas.errors import LeakKind, Reason, Stage, Unavailable
from deidstream.schemas.outcome import Coordinates, Failed, Outcome
from deidstream.stream import metrics
from deidstream.stream.health import Health
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.logs import FIELD
from deidstream.stream.outbox import Outbox, OversizeRecord, TopicRecord, count_outcome
from support.notes import stamp
from support.outcomes import anonymized

TOPICS = Topics("raw", "anonymized", "risk", "quarantine", None)


@dataclass(slots=True)
class Broker:
    """Keeps what it confirms; is away for the first sends; has a size limit."""

    away: int = 0
    limit: int = 10**6
    kept: list[TopicRecord] = field(default_factory=list[TopicRecord])

    async def send(self, records: Sequence[TopicRecord]) -> None:
        if self.away:
            self.away -= 1
            raise Unavailable("kafka")  # noqa: EM101
        if any(len(record.value) > self.limit for record in records):
            raise OversizeRecord
        self.kept += records

    def of(self, topic: str) -> list[TopicRecord]:
        return [record for record in self.kept if record.topic == topic]


def deliver(broker: Broker, *outcomes: Outcome, topics: Topics = TOPICS) -> None:
    outbox = Outbox(broker, topics, stamp(), Health(60))
    sources = [Coordinates("raw", 0, offset) for offset in range(len(outcomes))]
    asyncio.run(outbox.deliver(sources, outcomes))


def test_a_note_and_its_risk_go_out_under_the_patients_pseudonym() -> None:
    broker = Broker()
    deliver(broker, anonymized("quiet"))
    assert [record.topic for record in broker.kept] == ["anonymized", "risk"]
    assert {record.key for record in broker.kept} == {b"p" * 32}


def test_a_failed_note_leaves_coordinates_and_no_key() -> None:
    broker = Broker()
    deliver(broker, anonymized("quiet"), Failed(Reason.STAGE_FAILED, Stage.DETECT, 3))
    (letter,) = broker.of("quarantine")
    assert letter.key is None
    record = orjson.loads(letter.value)
    assert record["source"] == {"topic": "raw", "partition": 0, "offset": 1}
    assert (record["reason"], record["attempts"]) == ("STAGE_FAILED", 3)


def test_the_same_bytes_are_sent_again_when_kafka_was_away() -> None:
    broker, calm = Broker(away=2), Broker()
    deliver(broker, anonymized("quiet"))
    deliver(calm, anonymized("quiet"))
    assert broker.kept == calm.kept


def test_an_output_over_the_limit_is_quarantined_and_its_neighbours_are_not() -> None:
    broker = Broker(limit=2000)
    deliver(broker, anonymized("quiet"), anonymized("x" * 3000), anonymized("calm"))
    assert len(broker.of("anonymized")) == 2
    (letter,) = broker.of("quarantine")
    assert orjson.loads(letter.value)["reason"] == "TOO_LARGE"


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
