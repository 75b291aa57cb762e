"""The review page reads the originals of quarantine from a real Kafka, and keeps its trail."""

import asyncio
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import httpx
import orjson
import pytest
from confluent_kafka import Producer

from deidstream.agents.review import kafka_list_routes
from deidstream.agents.review.review_app import make_app
from deidstream.agents.settings import KafkaSettings
from deidstream.schemas.errors import LeakKind, Reason, Stage
from deidstream.schemas.outcome import Coordinates, DeadLetter, Failed
from deidstream.schemas.wire import encode_dead_letter
from support.kafka import Kafka
from support.notes import stamp
from support.ports import LOOPBACK, free_port
from support.review_site import PASSWORD, make_review_desk

pytestmark = [pytest.mark.broker, pytest.mark.slow]
NOTE = {"note_id": "N-77", "patient_id": "P-1", "text": "Mr. John Foust was seen on 03/04/2024."}


def settings(kafka: Kafka) -> KafkaSettings:
    run = uuid4().hex[:8]
    own = KafkaSettings(
        brokers=kafka.bootstrap, raw_topic=f"{run}.raw", quarantine_topic=f"{run}.quarantine"
    )
    for topic in (own.raw_topic, own.quarantine_topic):
        kafka.create_topics(topic, partitions=1)
    failed = Failed(Reason.LEAK_DETECTED, Stage.VERIFY, leak=LeakKind.REPEATED)
    producer = Producer({"bootstrap.servers": kafka.bootstrap})
    for offset, value in enumerate((orjson.dumps(NOTE), b"{", orjson.dumps(NOTE))):
        producer.produce(own.raw_topic, value)
        letter = DeadLetter(Coordinates(own.raw_topic, 0, offset), failed, stamp())
        if offset < 2:
            producer.produce(own.quarantine_topic, encode_dead_letter(letter))
    assert producer.flush(20.0) == 0
    return own


def test_notes_of_quarantine_are_reviewed(kafka: Kafka, tmp_path: Path) -> None:
    desk = make_review_desk(tmp_path)
    review = replace(desk.settings.review, quarantine=True)
    own = settings(kafka)
    desk.settings = replace(desk.settings, review=review, kafka=own)

    async def act() -> None:
        transport = httpx.ASGITransport(make_app(desk))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
            login = {"name": "rita", "password": PASSWORD}
            csrf = (await http.post("/api/login", json=login)).json()["csrf"]
            headers = {"X-CSRF-Token": csrf}
            made = await http.post("/api/lists/quarantine", json={}, headers=headers)
            assert made.json()["notes"] == 1
            place = f"/api/lists/{made.json()['id']}"
            note = (await http.get(f"{place}/notes/1")).json()
            assert note["origin"] == f"{own.raw_topic}/0/0 LEAK_DETECTED"
            assert "".join(part["text"] for part in note["original"]) == NOTE["text"]

            away = replace(own, brokers=f"{LOOPBACK}:{free_port()}")
            desk.settings = replace(desk.settings, kafka=away)
            made = await http.post("/api/lists/quarantine", json={}, headers=headers)
            assert made.status_code == 503
            desk.settings = replace(desk.settings, review=replace(review, quarantine=False))
            made = await http.post("/api/lists/quarantine", json={}, headers=headers)
            assert made.status_code == 404
        await desk.close()

    asyncio.run(act())
    lines = (tmp_path / "audit.log").read_bytes().splitlines()
    records = [orjson.loads(line)["record"] for line in lines]
    views = [record for record in records if record["action"] == "review-view"]
    assert views[0]["origin"].startswith(f"{own.raw_topic}/0/0")
    assert "Foust" not in (tmp_path / "audit.log").read_text()


def test_list_of_quarantine_says_what_it_does_not_hold(
    kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_review_desk(tmp_path)
    review = replace(desk.settings.review, quarantine=True)
    desk.settings = replace(desk.settings, review=review, kafka=settings(kafka))

    async def act() -> list[list[str]]:
        transport = httpx.ASGITransport(make_app(desk))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
            login = {"name": "rita", "password": PASSWORD}
            csrf = (await http.post("/api/login", json=login)).json()["csrf"]
            http.headers["X-CSRF-Token"] = csrf
            told = list[list[str]]()
            for most in (500, 1):
                monkeypatch.setattr(kafka_list_routes, "MOST_QUARANTINED", most)
                made = (await http.post("/api/lists/quarantine", json={})).json()
                told.append((await http.get(f"/api/lists/{made['id']}")).json()["remarks"])
        await desk.close()
        return told

    all_of_them, latest = asyncio.run(act())
    unreadable = "Dead letters whose original is not a note in the input topic: 1."
    assert all_of_them == [unreadable]
    assert latest == ["Only the latest 1 of 2 open dead letters were read.", unreadable]
