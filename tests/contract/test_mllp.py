"""A real sender, broker and worker: what is answered AA comes out, and parses again."""

import json
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hl7.client import MLLPClient

from support.echo_site import KINDS, EchoSite
from support.hl7_messages import named_fields, shape
from support.hl7_samples import NAMES, PATIENT, admission, document, message, results
from support.kafka import Kafka
from support.ports import free_port
from support.processes import Process, start, wait_until

pytestmark = [pytest.mark.broker, pytest.mark.slow]


@dataclass(slots=True)
class Feed:
    """A listener as a process of its own, over the topics of a site."""

    site: EchoSite
    port: int
    process: Process

    def send(self, *messages: str) -> list[str]:
        """Send messages over one connection of the library ``hl7``; return MSA-1 of each answer."""
        with MLLPClient("127.0.0.1", self.port) as client:
            answers = [client.send_message(one).decode() for one in messages]
        return [answer.split("\rMSA|")[1][:2] for answer in answers]

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of a topic."""
        return [json.loads(value) for _, value in self.site.values(kind)]


def environment(site: EchoSite) -> dict[str, str]:
    topics = {f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC": site.topic(kind) for kind in KINDS}
    return topics | {
        "DEIDSTREAM_KAFKA_BROKERS": site.kafka.bootstrap,
        "DEIDSTREAM_KAFKA_GROUP": site.group,
        "DEIDSTREAM_KAFKA_CREATE_TOPICS": "false",
        "DEIDSTREAM_REDIS_URL": site.redis_url,
        "DEIDSTREAM_KEY_FILE": str(site.folder / "key"),
        "DEIDSTREAM_HTTP_PORT": "0",
    }


def run(words: str, site: EchoSite, log: Path, env: Mapping[str, str]) -> Process:
    command = [sys.executable, "-m", "deidstream.agents", *words.split()]
    process = start(command, log=log, env=environment(site) | dict(env))

    def started() -> bool:
        assert process.running, process.last_words()
        return '"started"' in log.read_text()

    wait_until(started, seconds=120)
    return process


@pytest.fixture
def feed(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Feed]:
    site, port = EchoSite(kafka, redis_url, tmp_path), free_port()
    env = {"DEIDSTREAM_MLLP_PORT": str(port), "DEIDSTREAM_MLLP_BROKER_SECONDS": "3"}
    process = run("ingest mllp", site, tmp_path / "mllp.log", env)
    yield Feed(site, port, process)
    process.stop(40)


@pytest.fixture
def worker(feed: Feed) -> Iterator[Process]:
    process = run("worker", feed.site, feed.site.folder / "worker.log", {"OMP_NUM_THREADS": "2"})
    yield process
    process.stop(40)


@pytest.mark.usefixtures("worker")
def test_messages_come_out_as_messages_without_what_they_name(feed: Feed) -> None:
    text = "Ms. Zyxwvan (MRN 7741902) and Pieter were seen by Dr. Quellmar; call 608-555-0144."
    given = [
        document(text=text, control_id="M1"),
        results({text: "F", r"Hb 9.1 \T\ stable.\.br\Lindiwe agrees.": "F"}, control_id="M2"),
        admission(control_id="M3"),
        message("ADT^A08", [PATIENT, "ZPI|Zyxwvan^Lindiwe&x~y", "OBX|1|ST|A||ok"], "M4"),
    ]
    assert feed.send(*given) == ["AA"] * 4
    wait_until(lambda: len(feed.records("anonymized")) == 4, seconds=60)
    assert not feed.records("quarantine")
    outputs = [record["text"] for record in feed.records("anonymized")]
    assert sorted(map(shape, outputs)) == sorted(map(shape, given))
    for output in outputs:
        assert not [name for name in NAMES if name.casefold() in output.casefold()]
        assert named_fields(output)
    (once,) = {one.partition("PID|1||")[2].partition("^")[0] for one in outputs}
    assert sum(f"MRN {once}" in output for output in outputs) == 2


@pytest.mark.usefixtures("worker")
def test_a_correction_and_a_cancel_follow_their_document(feed: Feed) -> None:
    given = [
        document(control_id="M1"),
        document("T08", "Ms. Zyxwvan is not well.", control_id="M2"),
        document("T11", "", control_id="M3"),
    ]
    assert feed.send(*given) == ["AA"] * 3
    wait_until(lambda: len(feed.records("risk")) == 3, seconds=60)
    notes, risks = feed.records("anonymized"), feed.records("risk")
    assert [note.get("status") for note in notes] == [None, "corrected", "cancelled"]
    assert [risk.get("status") for risk in risks] == [None, None, "cancelled"]
    assert len({note["note_id"] for note in notes}) == 1
    assert len({note["output_id"] for note in notes}) == 3
    assert "text" not in notes[2]


def test_malformed_and_repeated_messages_reach_no_topic(feed: Feed) -> None:
    good = admission()
    assert feed.send(good, good, "PID|1||4410", message("DFT^P03", [PATIENT]), good) == [
        "AA",
        "AA",
        "AR",
        "AR",
        "AA",
    ]
    assert len(feed.records("raw")) == 1


def test_what_was_answered_is_stored_over_a_restart_of_the_broker(feed: Feed) -> None:
    accepted: list[str] = []
    feed.site.kafka.kill9()
    assert feed.send(admission(control_id="DOWN")) == ["AE"]
    with MLLPClient("127.0.0.1", feed.port) as client:
        feed.site.kafka.restart()
        for number in range(60):
            control_id = f"R{number}"
            answer = client.send_message(admission(control_id=control_id)).decode()
            if "\rMSA|AA|" in answer:
                accepted.append(control_id)
    assert accepted
    stored = {record["note_id"].partition("^")[0] for record in feed.records("raw")}
    assert stored.issuperset(accepted)


def test_a_stopped_listener_has_answered_what_it_stored(feed: Feed) -> None:
    answered = 0
    with MLLPClient("127.0.0.1", feed.port) as client:
        for number in range(200):
            if number == 50:
                feed.process.send(signal.SIGTERM)
            try:
                answer = client.send_message(admission(control_id=f"S{number}")).decode()
            except OSError:
                break
            if not answer:
                break
            answered += 1
    assert feed.process.wait(30) == 0
    assert 50 <= answered < 200
    assert len(feed.records("raw")) == answered
