"""Traces of a real worker on Kafka and Redis, read by a real OTLP receiver."""

import signal
import time
from pathlib import Path

import pytest
from confluent_kafka import Producer

from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from support.kafka import Kafka
from support.otlp_receiver import SentStep, receiving
from support.ports import free_port
from support.service import Service

pytestmark = [pytest.mark.broker, pytest.mark.slow]

POLICY = """\
extends = "surrogate"
recognizers = ["rules", "dictionary", "known"]
"""
NAMES = ["Zyxwvutson", "Qwertzuiop", "Plokmijnuh", "MZ9934177"]
TRACE, ASKED = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
BATCH_STEPS = {"detect", "plan", "recall", "claim", "substitute", "verify", "assess"}


def note(number: int) -> RawNote:
    text = (
        f"Patient: {NAMES[0]}, Tom. Seen by Dr. {NAMES[1]} on 03/04/2024. MRN: {NAMES[3]}. "
        f"Mr. {NAMES[0]} is well."
    )
    return RawNote(f"{NAMES[2]}-{number}", NAMES[3], text)


def make_service(kafka: Kafka, redis_url: str, folder: Path, endpoint: str) -> Service:
    (folder / "rules.toml").write_text(POLICY)
    settings = {
        "OMP_NUM_THREADS": "1",
        "DEIDSTREAM_POLICY": str(folder / "rules.toml"),
        "DEIDSTREAM_TRACES_ENDPOINT": endpoint,
    }
    return Service(kafka, redis_url, folder, settings)


def send_with_header(service: Service, value: bytes, traceparent: str) -> None:
    producer = Producer({"bootstrap.servers": service.kafka.bootstrap})
    headers: dict[str, str | bytes | None] = {"traceparent": traceparent, "patient": NAMES[0]}
    producer.produce(service.topic("raw"), value, NAMES[3], headers=headers)
    assert producer.flush(60) == 0


def one(steps: list[SentStep], name: str) -> SentStep:
    (step,) = (step for step in steps if step.name == name)
    return step


def test_a_note_is_followed_from_its_sender_to_its_readers(
    kafka: Kafka, redis_url: str, tmp_path: Path
) -> None:
    with receiving() as receiver:
        service = make_service(kafka, redis_url, tmp_path, receiver.endpoint)
        send_with_header(service, encode_note(note(0)), f"00-{TRACE}-{ASKED}-01")
        worker = service.start_worker()
        service.wait_for(1, 120)
        send_with_header(service, b"{" + NAMES[0].encode(), NAMES[0])
        service.wait_for(2, 60)
        worker.send(signal.SIGTERM)
        assert worker.wait(40) == 0
    steps = [step for step in receiver.steps() if step.trace == TRACE]
    followed, group, batch = one(steps, "note"), one(steps, "group"), one(steps, "batch")
    assert [followed.parent, group.parent, batch.parent] == [ASKED, followed.own, group.own]
    assert {s.name for s in steps if s.parent == batch.own} >= BATCH_STEPS
    assert {s.name for s in steps if s.parent == group.own} == {"decode", "batch", "deliver"}
    assert all(s.values["deid.names"] for s in steps if s.name in {"recall", "claim"})
    (output,) = service.records("anonymized")
    assert followed.values["deid.output_id"] == output["output_id"]
    assert followed.values["messaging.destination.name"] == service.topic("raw")
    failed = next(n for n in receiver.named("note") if n.values["deid.outcome"] == "quarantined")
    header = b"00-%s-%s-01" % (TRACE.encode(), followed.own.encode())
    for kind in ("anonymized", "risk", "audit"):
        (message,) = service.whole_messages(kind)
        assert message.headers() == [("traceparent", header)]
    (message,) = service.whole_messages("quarantine")
    assert f"{failed.trace}-{failed.own}" in repr(message.headers())
    sent = b"".join(receiver.bodies).lower()
    assert [name for name in NAMES if name.lower().encode() in sent] == []


def test_no_note_waits_for_a_receiver_that_is_away(
    kafka: Kafka, redis_url: str, tmp_path: Path
) -> None:
    endpoint = f"http://127.0.0.1:{free_port()}/v1/traces"
    service = make_service(kafka, redis_url, tmp_path, endpoint)
    service.send([note(n) for n in range(50)])
    worker = service.start_worker()
    service.wait_for(50, 120)
    before = time.monotonic()
    worker.send(signal.SIGTERM)
    assert worker.wait(40) == 0
    assert time.monotonic() - before < 15
    assert NAMES[0] not in service.logs()
