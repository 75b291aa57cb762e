"""What ``produce`` says of a topic that is missing, too small for a record, or out of reach."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from confluent_kafka import Consumer

from deidstream.agents.cli.main import main
from deidstream.schemas.wire import decode
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


def test_rows_of_a_table_are_sent_by_the_columns_of_a_file(
    tmp_path: Path, topic: str, kafka: Kafka, capsys: pytest.CaptureFixture[str]
) -> None:
    kafka.create_topics(topic)
    table, columns = tmp_path / "notes.csv", tmp_path / "columns.txt"
    table.write_text("ID,PAT,BODY,REV\n1,7,Seen.,3\n2,7,torn\n3,8,Seen too.,1\n")
    columns.write_text(
        "# of the old system\nnote_id=ID\npatient_id=PAT\n\ntext=BODY\nversion=REV\n"
    )
    assert main(["produce", str(table), "--columns", f"@{columns}"]) == 1
    said = capsys.readouterr().err
    assert f"2 notes sent to {topic}" in said
    assert "1 cannot be read and were not sent" in said
    reader = {"bootstrap.servers": kafka.bootstrap, "group.id": topic}
    consumer = Consumer(reader | {"auto.offset.reset": "earliest"})
    consumer.subscribe([topic])
    sent = [(record.key(), decode(record.value() or b"")) for record in consumer.consume(2, 20)]
    consumer.close()
    found = sorted((key, note.note_id, note.version) for key, note in sent)
    assert found == [(b"7", "1", 3), (b"8", "3", 1)]


def test_a_broker_that_is_away_is_69(
    notes: Path, topic: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", f"127.0.0.1:{free_port()}")
    assert main(["produce", str(notes)]) == 69
    assert f"0 notes sent to {topic}" in capsys.readouterr().err
