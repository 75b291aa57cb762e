"""Whatever producers and topics compress by, and whatever a record holds, is read on real Kafka."""

import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from confluent_kafka import Producer

from deidstream.agents.cli.main import main
from deidstream.agents.review.quarantine_source import read_quarantined
from deidstream.agents.settings import read_settings
from deidstream.agents.tables.output_parts import PartKind
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Coordinates, DeadLetter, Failed
from deidstream.schemas.wire import decode, encode_dead_letter, encode_note
from deidstream.stream.kafka.compression import CODECS, MOST_BYTES
from harness.broker import configure_topic
from support.batches import batch, record, send_batch
from support.echo_site import EchoSite, numbered
from support.kafka import Kafka
from support.notes import stamp
from support.output_records import history, left_over
from support.sent_outputs import OutputTopics
from support.table_sites import outputs, parquet_site

pytestmark = [pytest.mark.broker, pytest.mark.slow]
Said = pytest.CaptureFixture[str]


@pytest.fixture
def site(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[EchoSite]:
    made = EchoSite(kafka, redis_url, tmp_path, partitions=1)
    yield made
    made.stop()


def compress_by(kafka: Kafka, topic: str, codec: str) -> None:
    """Let the broker compress what comes to a topic."""
    name = "uncompressed" if codec == "none" else codec
    configure_topic(kafka, topic, {"compression.type": name})


def stored_codecs(kafka: Kafka, topic: str) -> set[str]:
    """What the batches of a topic are compressed by on the broker's disk."""
    found = set[str]()
    for log in kafka.home.rglob(f"{topic}-0/*.log"):
        data = log.read_bytes()
        while data:
            found.add(CODECS[data[22] & 7])
            data = data[12 + int.from_bytes(data[8:12]) :]
    return found


def test_a_worker_reads_what_producers_and_topics_compress(site: EchoSite) -> None:
    notes, topic = numbered(0, 2 * len(CODECS)), site.topic("raw")
    site.start_worker()
    for codec, note in zip(CODECS, notes, strict=False):
        producer = {"bootstrap.servers": site.kafka.bootstrap, "compression.type": codec}
        site.send([note], Producer(producer))
    for codec, note in zip(CODECS, notes[len(CODECS) :], strict=True):
        compress_by(site.kafka, topic, codec)
        site.send([note])
    site.wait_for(len(notes), 60)
    assert sorted(site.ids()) == [note.note_id for note in notes]
    assert site.values("quarantine") == []
    assert stored_codecs(site.kafka, topic) == set(CODECS)


def test_what_cannot_be_read_costs_itself_alone(site: EchoSite) -> None:
    notes = numbered(0, 9)
    sound, header, rest = notes[:3], notes[3:6], notes[6:]
    site.send(sound)
    site.start_worker()
    values = [encode_note(note) for note in header]
    strange = [record(n, value, b"\xff\xfe") for n, value in enumerate(values)]
    bomb = [record(0, bytes(MOST_BYTES))]
    for data in (batch(strange), batch(bomb, "zstd")):
        assert send_batch(site.kafka.bootstrap, site.topic("raw"), data) == 0
    site.send(rest)
    site.wait_for(len(notes), 60)
    assert sorted(site.ids()) == [note.note_id for note in notes]
    site.wait(lambda: len(site.values("quarantine")) == 1, 30)
    ((_, letter),) = site.values("quarantine")
    found = json.loads(letter)
    assert (found["source"]["offset"], found["reason"]) == (6, "BAD_JSON")
    assert '"event":"records-unreadable"' in site.logs()


@pytest.mark.parametrize("codec", CODECS)
def test_output_topics_may_be_compressed(
    codec: str, kafka: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    topics = OutputTopics.create(kafka, monkeypatch)
    output = topics.names[PartKind.NOTE]
    raw, quarantine = f"{output}.raw", f"{output}.quarantine"
    kafka.create_topics(raw, quarantine)
    monkeypatch.setenv("DEIDSTREAM_KAFKA_RAW_TOPIC", raw)
    monkeypatch.setenv("DEIDSTREAM_KAFKA_QUARANTINE_TOPIC", quarantine)
    for name in (*topics.names.values(), raw, quarantine):
        compress_by(kafka, name, codec)
    notes = history(30)
    topics.send(notes)
    quarantined = send_quarantined(kafka, raw, quarantine)
    site = parquet_site(tmp_path)
    assert main(["export", *site.words]) == 0
    assert outputs(site.read()) == left_over(notes)
    capsys.readouterr()
    assert main(["quarantine", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reason"] == "BAD_JSON"
    sent = {note.output_id for note in notes}
    assert {json.loads(line)["output_id"] for line in consume(len(notes), capsys)} == sent
    reviewed = asyncio.run(read_quarantined(read_settings(os.environ), most=10))
    assert [each.note for each in reviewed.notes] == [quarantined]
    assert stored_codecs(kafka, quarantine) == stored_codecs(kafka, raw) == {codec}


def send_quarantined(kafka: Kafka, raw: str, quarantine: str) -> RawNote:
    """Send a note and the dead letter that names it."""
    (note,) = numbered(0, 1)
    with pytest.raises(InvalidNote) as caught:
        decode(b"no note")
    letter = DeadLetter(Coordinates(raw, 0, 0), Failed.by(caught.value), stamp())
    producer = Producer({"bootstrap.servers": kafka.bootstrap})
    producer.produce(raw, encode_note(note))
    producer.produce(quarantine, encode_dead_letter(letter))
    assert producer.flush(20) == 0
    return note


def consume(count: int, capsys: Said) -> Sequence[str]:
    """The records that ``deidstream consume`` writes, of the topic of notes."""
    assert main(["consume", "--most", str(count)]) == 0
    return capsys.readouterr().out.splitlines()
