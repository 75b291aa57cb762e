"""What ``produce`` says of a topic that is missing, too small for a record, or out of reach."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from deidstream.agents.cli.main import main
from support.kafka import Kafka
from support.ports import free_port

pytestmark = [pytest.mark.broker, pytest.mark.slow]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "notes.jsonl"
    texts = ["short", "x" * 50_000, "short too"]
    rows = [{"note_id": f"n{n}", "patient_id": "p", "text": text} for n, text in enumerate(texts)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch, kafka: Kafka) -> str:
    name = f"t-{uuid4().hex}"
    monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", kafka.bootstrap)
    monkeypatch.setenv("DEIDSTREAM_KAFKA_RAW_TOPIC", name)
    return name


def test_a_missing_topic_is_named_with_its_remedy(
    notes: Path, topic: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["produce", str(notes)]) == 78
    said = capsys.readouterr().err
    assert f"no topic {topic}: run 'deidstream topics create'" in said
    assert f"0 notes sent to {topic}" in said


def test_what_is_too_large_is_counted_and_the_rest_is_sent(
    notes: Path, topic: str, kafka: Kafka, capsys: pytest.CaptureFixture[str]
) -> None:
    kafka.create_topics(topic, config={"max.message.bytes": "10000"})
    assert main(["produce", str(notes)]) == 1
    said = capsys.readouterr().err
    assert f"2 notes sent to {topic}" in said
    assert "1 are larger than the topic accepts" in said


def test_a_broker_that_is_away_is_69(
    notes: Path, topic: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", f"127.0.0.1:{free_port()}")
    assert main(["produce", str(notes)]) == 69
    assert f"0 notes sent to {topic}" in capsys.readouterr().err
