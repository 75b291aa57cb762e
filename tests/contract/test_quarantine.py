"""The quarantine commands on a real Kafka: nothing is sent twice, and no text leaves unasked."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from deidstream.agents.cli.main import main
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.outcome import Coordinates, DeadLetter, Failed
from deidstream.schemas.wire import decode, encode_dead_letter
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.kafka.transaction import Outgoing, TransactionalSender
from support.kafka import Kafka
from support.notes import stamp

pytestmark = [pytest.mark.broker, pytest.mark.slow]
Said = pytest.CaptureFixture[str]
PARTITIONS = 3


class Site:
    """A raw topic of bad messages, and their dead letters."""

    def __init__(self, kafka: Kafka, config: Mapping[str, str] | None = None) -> None:
        run = uuid4().hex[:8]
        self.kafka, self.group = kafka, f"g-{run}"
        self.raw, self.quarantine = f"{run}.raw", f"{run}.quarantine"
        kafka.create_topics(self.raw, partitions=PARTITIONS, config=config)
        kafka.create_topics(self.quarantine, partitions=PARTITIONS)

    def environment(self) -> dict[str, str]:
        return {
            "DEIDSTREAM_KAFKA_BROKERS": self.kafka.bootstrap,
            "DEIDSTREAM_KAFKA_GROUP": self.group,
            "DEIDSTREAM_KAFKA_RAW_TOPIC": self.raw,
            "DEIDSTREAM_KAFKA_QUARANTINE_TOPIC": self.quarantine,
        }

    def send(self, topic: str, value: bytes, key: bytes | None, partition: int) -> None:
        producer = Producer({"bootstrap.servers": self.kafka.bootstrap})
        producer.produce(topic, value, key, partition)
        assert producer.flush(30) == 0

    def fill(self, count: int) -> None:
        """Send bad messages, keyed, and a dead letter of each."""
        producer = Producer({"bootstrap.servers": self.kafka.bootstrap})
        for number in range(count):
            place = Coordinates(self.raw, number % PARTITIONS, number // PARTITIONS)
            producer.produce(self.raw, raw(number), f"k{number}", place.partition)
            failed = Failed.by(refusal(raw(number)))
            letter = encode_dead_letter(DeadLetter(place, failed, stamp()))
            producer.produce(self.quarantine, letter, partition=(number + 1) % PARTITIONS)
        assert producer.flush(30) == 0

    def messages(self, topic: str) -> list[tuple[int, bytes | None, bytes]]:
        """Partition, key and value of what was committed, in order."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.kafka.bootstrap,
                "group.id": "reader",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "isolation.level": "read_committed",
            }
        )
        consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
        found, ended = [], 0
        while ended < PARTITIONS:
            message = consumer.poll(10)
            assert message is not None
            if message.error():
                ended += 1
            else:
                found.append((message.partition() or 0, message.key(), message.value() or b""))
        consumer.close()
        return found


def raw(number: int) -> bytes:
    if number % 2:
        return b'{"note_id": "n%d", "patient_id": "p", "text": 5, "x": "Zyxwv"}' % number
    return b'{"note_id": "n%d", "text": "Zyxwv"' % number


def refusal(value: bytes) -> InvalidNote:
    with pytest.raises(InvalidNote) as caught:
        decode(value)
    return caught.value


@pytest.fixture
def site(kafka: Kafka, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(kafka)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


def quarantine(*words: str) -> int:
    return main(["quarantine", *words])


def listed(said: Said, *words: str) -> list[dict[str, object]]:
    said.readouterr()
    assert quarantine("list", "--json", *words) == 0
    return [json.loads(line) for line in said.readouterr().out.splitlines()]


def test_an_empty_quarantine_is_listed(site: Site, capsys: Said) -> None:
    assert site.raw
    assert listed(capsys) == []


def test_open_dead_letters_are_listed_with_reason_and_field(site: Site, capsys: Said) -> None:
    site.fill(9)
    letters = listed(capsys)
    assert [letter["source"] for letter in letters] == [
        f"{site.raw}/{p}/{o}" for p in range(3) for o in range(3)
    ]
    wrong = [letter for letter in letters if letter["reason"] == "WRONG_TYPE"]
    assert {letter["field"] for letter in wrong} == {"text"}
    assert len(listed(capsys, "--reason", "BAD_JSON")) == 5
    assert len(listed(capsys, "--stage", "detect")) == 0
    assert len(listed(capsys, "--since", "1h")) == 9
    assert len(listed(capsys, "--since", "2099-01-01")) == 0
    assert len(listed(capsys, "--most", "2")) == 2
    assert quarantine("list") == 0
    said = capsys.readouterr()
    assert "5 x BAD_JSON" in said.err
    assert "Zyxwv" not in said.out + said.err


def test_a_replay_sends_the_same_bytes_to_the_same_partition_once(site: Site, capsys: Said) -> None:
    site.fill(230)  # three transactions
    before = site.messages(site.raw)
    assert quarantine("replay", "--reason", "WRONG_TYPE", "--dry-run") == 0
    assert site.messages(site.raw) == before
    assert quarantine("replay", "--reason", "WRONG_TYPE") == 0
    assert "115 of 115 originals sent" in capsys.readouterr().err
    wrong = [m for m in before if b'"text": 5' in m[2]]
    assert sorted(site.messages(site.raw)) == sorted([*before, *wrong])
    assert quarantine("replay", "--all", "--dry-run") == 0
    assert "115 of 115" in capsys.readouterr().err
    assert quarantine("replay", "--reason", "WRONG_TYPE") == 0
    assert "0 of 0" in capsys.readouterr().err
    assert len(site.messages(site.raw)) == 230 + 115
    assert len(listed(capsys)) == 115
    closed = [letter for letter in listed(capsys, "--closed") if letter["state"] == "replayed"]
    assert len(closed) == 115


def test_a_run_that_was_taken_over_sends_nothing_twice(site: Site, capsys: Said) -> None:
    site.fill(6)
    before = site.messages(site.raw)

    async def overtaken() -> None:
        connection = KafkaConnection(site.kafka.bootstrap)
        async with TransactionalSender.open(connection, f"{site.group}-quarantine") as sender:
            async with sender.client.transaction():
                await sender.client.send_and_wait(site.raw, raw(1), partition=0)
                # Another operator starts, reads the list and replays it.
                assert await asyncio.to_thread(quarantine, "replay", "--all") == 0
            await sender.send([Outgoing(site.raw, None, raw(1), 0)])

    with pytest.raises(Refused, match="taken over"):
        asyncio.run(overtaken())
    assert len(site.messages(site.raw)) == 2 * len(before)
    assert listed(capsys) == []


def test_what_retention_has_deleted_is_counted_and_discarded(site: Site, capsys: Said) -> None:
    site.fill(9)
    admin = AdminClient({"bootstrap.servers": site.kafka.bootstrap})
    for gone in admin.delete_records([TopicPartition(site.raw, 0, 2)]).values():
        gone.result(30)
    assert [letter["original"] for letter in listed(capsys)[:3]] == ["gone", "gone", None]
    assert quarantine("replay", "--all") == 1
    said = capsys.readouterr().err
    assert "7 of 9 originals sent" in said
    assert "2 are gone" in said
    assert quarantine("discard", "--all", "--why", "gone", "--case", "T-1") == 0
    assert "2 dead letters discarded" in capsys.readouterr().err
    assert listed(capsys) == []
    (first, *_) = listed(capsys, "--closed")
    assert first["state"] == "discarded"
    assert "case T-1" in str(first["mark"])


def test_unknown_coordinates_and_other_topics_are_left_alone(site: Site, capsys: Said) -> None:
    site.fill(1)
    failed = Failed.by(refusal(b"{"))
    for place in (
        Coordinates("other", 0, 3),
        Coordinates(site.raw, 0, 99),
        Coordinates(site.raw, 77, 0),
    ):
        letter = encode_dead_letter(DeadLetter(place, failed, stamp()))
        site.send(site.quarantine, letter, None, 0)
    site.send(site.quarantine, b"no letter", None, 0)
    assert quarantine("replay", f"{site.raw}/0/7") == 0
    said = capsys.readouterr().err
    assert "has no dead letter" in said
    assert "1 records of" in said
    assert quarantine("replay", "--all") == 1
    said = capsys.readouterr().err
    assert "1 of 4 originals" in said
    assert "2 are gone" in said
    assert "1 come from another topic" in said


def test_a_dead_letter_that_comes_after_its_mark_is_open(site: Site, capsys: Said) -> None:
    site.fill(1)
    assert quarantine("discard", f"{site.raw}/0/0", "--why", "test-data") == 0
    assert listed(capsys) == []
    # A topic that was made anew counts its offsets from 0.
    letter = encode_dead_letter(
        DeadLetter(Coordinates(site.raw, 0, 0), Failed.by(refusal(b"{")), stamp())
    )
    site.send(site.quarantine, letter, None, 2)
    (again,) = listed(capsys)
    assert again["state"] == "open"
    assert "test-data" in str(again["earlier"])


def test_a_change_needs_a_selection(site: Site) -> None:
    assert site.raw
    for words in (["replay"], ["discard", "--why", "other"], ["replay", "raw/0"]):
        with pytest.raises(SystemExit) as caught:
            quarantine(*words)
        assert caught.value.code == 64


def test_text_is_printed_only_on_request_and_logged_first(
    site: Site, capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site.fill(2)
    place = f"{site.raw}/1/0"
    assert quarantine("show", place) == 0
    assert "Zyxwv" not in capsys.readouterr().out
    assert quarantine("show", place, "--with-text", "--force") == 78  # no log
    monkeypatch.setenv("DEIDSTREAM_QUARANTINE_LOG", str(tmp_path / "log"))
    assert quarantine("show", place, "--with-text") == 78  # no terminal
    assert "Zyxwv" not in capsys.readouterr().out
    assert not (tmp_path / "log").exists()
    assert quarantine("show", place, "--with-text", "--force", "--case", "T-9") == 0
    assert "Zyxwv" in capsys.readouterr().out
    assert '"case":"T-9"' in (tmp_path / "log").read_text()
    assert "Zyxwv" not in (tmp_path / "log").read_text()
    assert main(["audit", "verify", str(tmp_path / "log")]) == 0
    assert quarantine("show", f"{site.raw}/1/44") == 1
