"""The review page lists the red and yellow notes of a real Kafka, with their originals."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import orjson
import pytest
from confluent_kafka import Producer

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.review_app import make_app
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.settings import KafkaSettings
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, Outcome, RiskLevel
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.kafka import Kafka
from support.notes import stamp
from support.review_site import PASSWORD, make_review_desk

pytestmark = [pytest.mark.broker, pytest.mark.slow]

TEXT = "Mr. John Foust (DOB 02/19/1956) was seen on 03/04/2024. Zorbo pump."
LEVELS = {
    "red": RiskLevel.RED,
    "yellow": RiskLevel.YELLOW,
    "green": RiskLevel.GREEN,
    "gone": RiskLevel.RED,
    "corrected": RiskLevel.RED,
    "cancelled": RiskLevel.RED,
    "taken-back": RiskLevel.RED,
    "aborted": RiskLevel.RED,
}


def note(name: str, text: str = TEXT, status: NoteStatus | None = None) -> RawNote:
    return RawNote(f"id-{name}", f"patient of {name}", text, status=status)


async def run_worker(desk: Desk, notes: Sequence[RawNote]) -> list[Outcome]:
    """What a worker with the page's key and policy makes of notes."""
    runtime = desk.service.loaded
    service = local_service(desk.settings, runtime, MemorySurrogateStore(), TenantPipelines())
    try:
        return await service.run([encode_note(one) for one in notes])
    finally:
        service.lane.close()


def send(producer: Producer, topics: Topics, outcome: Outcome, level: RiskLevel) -> None:
    if isinstance(outcome, Anonymized):
        risk = replace(outcome.risk, level=level, reasons=("RARE_WORDS",))
        outcome = replace(outcome, risk=risk)
    encoder = OutcomeEncoder(topics, stamp())
    for record in encoder.encode(Coordinates(topics.raw, 0, 0), outcome).records:
        producer.produce(record.topic, record.value, record.key)
    assert producer.flush(20.0) == 0


async def fill(kafka: Kafka, desk: Desk) -> KafkaSettings:
    """Write what senders and a worker leave: outputs, corrections, retractions, an abort."""
    run = uuid4().hex[:8]
    own = KafkaSettings(
        brokers=kafka.bootstrap,
        raw_topic=f"{run}.raw",
        anonymized_topic=f"{run}.anonymized",
        risk_topic=f"{run}.risk",
        quarantine_topic=f"{run}.quarantine",
    )
    topics = Topics(own.raw_topic, own.anonymized_topic, own.risk_topic, own.quarantine_topic, None)
    for topic in (own.raw_topic, own.anonymized_topic, own.risk_topic, own.quarantine_topic):
        kafka.create_topics(topic, partitions=3)
    producer = Producer({"bootstrap.servers": kafka.bootstrap, "transactional.id": run})
    producer.init_transactions(30.0)
    notes = {name: note(name) for name in LEVELS}
    corrected = note("corrected", TEXT + " Later.", NoteStatus.CORRECTED)
    cancelled = note("cancelled", "", NoteStatus.CANCELLED)
    made: Mapping[str, Outcome] = dict(
        zip(notes, await run_worker(desk, list(notes.values())), strict=True)
    )
    later = await run_worker(desk, [corrected, cancelled])
    producer.begin_transaction()
    for name, one in notes.items():
        if name != "gone":
            producer.produce(own.raw_topic, encode_note(one), one.patient_id)
    producer.produce(own.raw_topic, b"{", "x")
    for name, outcome in made.items():
        if name != "aborted":
            send(producer, topics, outcome, LEVELS[name])
    send(producer, topics, later[0], RiskLevel.GREEN)
    send(producer, topics, later[1], RiskLevel.GREEN)
    # The worker has not read this one yet.
    taken_back = note("taken-back", "", NoteStatus.CANCELLED)
    producer.produce(own.raw_topic, encode_note(taken_back), taken_back.patient_id)
    producer.commit_transaction(30.0)
    producer.begin_transaction()
    send(producer, topics, made["aborted"], RiskLevel.RED)
    producer.abort_transaction(30.0)
    return own


@asynccontextmanager
async def reviewing(kafka: Kafka, home: Path) -> AsyncGenerator[httpx.AsyncClient]:
    """A reviewer who is logged in, on a page beside a stream."""
    desk = make_review_desk(home)
    own = await fill(kafka, desk)
    review = replace(desk.settings.review, risk=True)
    desk.settings = replace(desk.settings, review=review, kafka=own)
    transport = httpx.ASGITransport(make_app(desk))
    async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
        login = {"name": "rita", "password": PASSWORD}
        http.headers["X-CSRF-Token"] = (await http.post("/api/login", json=login)).json()["csrf"]
        yield http
    await desk.close()


async def open_list(http: httpx.AsyncClient, **choice: object) -> Mapping[str, Any]:
    """Open the list, and wait until its notes have been run."""
    made = (await http.post("/api/lists/risk", json=choice)).json()
    place = f"/api/lists/{made['id']}"
    await http.post(f"{place}/run")
    while True:
        found: dict[str, Any] = (await http.get(place)).json()
        if not found["waiting"] and all(row["level"] for row in found["rows"]):
            return found | {"place": place}
        await asyncio.sleep(0.02)


def test_red_and_yellow_notes_of_the_stream_are_listed(kafka: Kafka, tmp_path: Path) -> None:
    async def act() -> None:
        async with reviewing(kafka, tmp_path) as http:
            found = await open_list(http)
            assert (found["title"], found["notes"]) == ("Red and yellow notes", 2)
            assert [one["level"] for one in found["lost"]] == ["red"]
            assert found["remarks"] == []
            shown = [(await http.get(f"{found['place']}/notes/{n}")).json() for n in (1, 2)]
            assert {one["emitted"]["level"] for one in shown} == {"red", "yellow"}
            for one in shown:
                assert "".join(part["text"] for part in one["original"]) == TEXT
                assert one["emitted"]["same"]
                assert one["emitted"]["reasons"][0]["code"] == "RARE_WORDS"
                assert one["name"] == one["pseudonym"]
            red = await open_list(http, levels=["red"])
            assert (red["title"], red["notes"]) == ("Red notes", 1)

    asyncio.run(act())
    trail = (tmp_path / "audit.log").read_text()
    records = [orjson.loads(line)["record"] for line in trail.splitlines()]
    assert records[1]["levels"] == ["yellow", "red"]
    views = [record for record in records if record["action"] == "review-view"]
    assert len(views) == 2
    assert all(record["origin"] and record["pseudonym"] for record in views)
    assert not {"Foust", "id-red"} & set(re.findall(r"[\w-]+", trail))


def test_output_that_was_edited_or_made_otherwise_is_told(kafka: Kafka, tmp_path: Path) -> None:
    async def act() -> None:
        async with reviewing(kafka, tmp_path) as http:
            found = await open_list(http, levels=["red"])
            start = TEXT.index("Zorbo")
            edit = {"kind": "mark", "start": start, "end": start + 5, "label": "DEVICE"}
            body = edit | {"everywhere": False}
            edited = await http.post(f"{found['place']}/notes/1/edits", json=body)
            assert not edited.json()["emitted"]["same"]
            other = await open_list(http, levels=["red"], policy="redact")
            shown = (await http.get(f"{other['place']}/notes/1")).json()
            assert not shown["emitted"]["same"]

    asyncio.run(act())
