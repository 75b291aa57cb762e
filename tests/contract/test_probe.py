"""A probe on real Kafka: through a worker, past a dead one, and through one that fails."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

from deidstream.agents.doctor.probe_note import PIECES, ProbeResult
from deidstream.agents.doctor.run_probe import ProbeOutcome, connect_prober
from deidstream.agents.settings import KafkaSettings, Settings
from deidstream.stream.observing import metrics
from support.echo_site import EchoSite
from support.kafka import Kafka

pytestmark = [pytest.mark.broker, pytest.mark.slow]
Answer = dict[str, object]


@pytest.fixture
def site(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[EchoSite]:
    made = EchoSite(kafka, redis_url, tmp_path, partitions=1)
    yield made
    made.stop()


def probe(site: EchoSite, answer: Answer | None, topic: str = "anonymized") -> ProbeOutcome:
    """Send a probe, and answer it in the place of a worker; ``None``: there is no answer."""

    async def run() -> ProbeOutcome:
        kafka = KafkaSettings(
            brokers=site.kafka.bootstrap,
            raw_topic=site.topic("raw"),
            anonymized_topic=site.topic("anonymized"),
            quarantine_topic=site.topic("quarantine"),
        )
        settings = Settings(kafka=kafka)
        async with connect_prober(settings, 12.0 if answer else 1.5, "default") as prober:
            probing = asyncio.create_task(prober.probe())
            if answer is not None:
                await asyncio.to_thread(reply, site, answer, topic)
            return await probing

    return asyncio.run(run())


def reply(site: EchoSite, answer: Answer, topic: str) -> None:
    consumer = Consumer(
        {
            "bootstrap.servers": site.kafka.bootstrap,
            "group.id": f"reply-{site.run}",
            "auto.offset.reset": "earliest",
        }
    )
    consumer.subscribe([site.topic("raw")])
    record = consumer.poll(20)
    assert record is not None
    note = json.loads(record.value() or b"")
    assert (note["note_id"], note["note_type"]) == ("deidstream-probe", "probe")
    consumer.close()
    producer = Producer({"bootstrap.servers": site.kafka.bootstrap})
    for correlation in ("another", note["correlation"]):
        producer.produce(site.topic(topic), json.dumps({**answer, "correlation": correlation}))
    producer.flush(20)


def counted(result: ProbeResult) -> float:
    return metrics.value("deid_probe_notes_total", result)


def test_an_output_as_it_must_be_is_ok(site: EchoSite) -> None:
    text = "".join("[LABEL]" if piece.kind else piece.text for piece in PIECES)
    before = counted(ProbeResult.OK)
    outcome = probe(site, {"text": text, "technique": "redact"})
    assert (outcome.result, outcome.why) == (ProbeResult.OK, "")
    assert counted(ProbeResult.OK) == before + 1


def test_a_name_that_is_left_is_different(site: EchoSite) -> None:
    text = "".join(piece.text for piece in PIECES)
    outcome = probe(site, {"text": text, "technique": "redact"})
    assert outcome.result is ProbeResult.DIFFERENT
    assert outcome.why == "the name is left in the output"


def test_a_dead_letter_is_quarantined(site: EchoSite) -> None:
    outcome = probe(site, {"reason": "TOO_SLOW"}, "quarantine")
    assert (outcome.result, outcome.why) == (ProbeResult.QUARANTINED, "TOO_SLOW")


def test_without_a_worker_a_probe_is_late(site: EchoSite) -> None:
    assert probe(site, None).result is ProbeResult.LATE
