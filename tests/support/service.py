"""The whole service in a test: real workers between topics and a Redis of their own."""

import asyncio
import json
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.root_keys import read_key
from deidstream.models.keyring import Keyring, canonical
from deidstream.models.release_ids import patient_pseudonym
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.kafka import Kafka
from support.processes import Process, start, wait_until
from support.surrogate_uses import SurrogateUses

KINDS = ("raw", "anonymized", "risk", "quarantine", "audit", "patients")
PARTITIONS = 4
_LEADERLESS = {KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE}


def many_notes(count: int) -> list[RawNote]:
    """The sample notes, repeated under new ids."""
    notes = sample_notes()
    turns = range(count // len(notes) + 1)
    repeated = (replace(n, note_id=f"{n.note_id}-{turn}") for turn in turns for n in notes)
    return [note for note, _ in zip(repeated, range(count), strict=False)]


@dataclass(slots=True)
class Service:
    """Topics, a key and settings of one test; workers are started and killed at will."""

    kafka: Kafka
    redis_url: str
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    run: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    workers: list[Process] = field(default_factory=list[Process])

    def __post_init__(self) -> None:
        """Make the topics and the key; start with an empty store."""
        # One key for all runs: which names collide by chance is then the same in each.
        (self.folder / "key").write_text(bytes(range(32)).hex())
        self.kafka.create_topics(*map(self.topic, KINDS), partitions=PARTITIONS)
        asyncio.run(_emptied(self.redis_url))

    def topic(self, kind: str) -> str:
        """Name of a topic."""
        return f"t-{self.run}.{kind}"

    def environment(self) -> dict[str, str]:
        """Settings of a worker."""
        topics = {f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC": self.topic(kind) for kind in KINDS}
        return topics | {
            "DEIDSTREAM_KAFKA_BROKERS": self.kafka.bootstrap,
            "DEIDSTREAM_KAFKA_GROUP": f"g-{self.run}",
            "DEIDSTREAM_KAFKA_AUDIT": "true",
            "DEIDSTREAM_KAFKA_CREATE_TOPICS": "false",
            "DEIDSTREAM_KAFKA_SESSION_SECONDS": "6",
            "DEIDSTREAM_KAFKA_TRANSACTION_SECONDS": "5",
            "DEIDSTREAM_REDIS_URL": self.redis_url,
            "DEIDSTREAM_KEY_FILE": str(self.folder / "key"),
            "DEIDSTREAM_HTTP_PORT": "0",
            **self.settings,
        }

    def start_worker(self, **more: str) -> Process:
        """Start a worker."""
        log = self.folder / f"worker-{len(self.workers)}.log"
        command = (sys.executable, "-m", "deidstream.agents", "worker")
        worker = start(command, log=log, env=self.environment() | more)
        self.workers.append(worker)
        return worker

    def stop(self) -> None:
        """Stop every worker."""
        for worker in self.workers:
            worker.stop(40)

    def send(self, notes: Sequence[RawNote | bytes]) -> None:
        """Put notes into the input topic, keyed by patient."""
        producer = Producer({"bootstrap.servers": self.kafka.bootstrap, "linger.ms": 5})
        for note in notes:
            if isinstance(note, bytes):
                producer.produce(self.topic("raw"), value=note)
            else:
                producer.produce(self.topic("raw"), encode_note(note), note.patient_id)
        assert producer.flush(60) == 0

    def truncate_raw(self) -> dict[int, int]:
        """Delete all messages; return how many of each partition the group had not read."""
        admin, topic = self.kafka.admin(), self.topic("raw")
        group = ConsumerGroupTopicPartitions(f"g-{self.run}")
        (offsets,) = admin.list_consumer_group_offsets([group]).values()
        read = {place.partition: place.offset for place in offsets.result(30).topic_partitions}
        places = [TopicPartition(topic, number, -1) for number in range(PARTITIONS)]
        ends = {p.partition: d.result(30) for p, d in admin.delete_records(places).items()}
        lost = {n: end.low_watermark - read.get(n, 0) for n, end in ends.items()}
        return {number: count for number, count in lost.items() if count}

    def records(self, kind: str) -> list[dict[str, object]]:
        """Everything in an output topic, in order of partition and offset."""
        return [json.loads(value) for _, value in self.messages(kind)]

    def messages(self, kind: str) -> list[tuple[bytes | None, bytes]]:
        """Keys and values of a topic, in order of partition and offset."""
        return [(m.key(), m.value() or b"") for m in self.whole_messages(kind)]

    def whole_messages(self, kind: str) -> list[Message]:
        """Messages of a topic with their headers, in order of partition and offset."""
        return list(_read(self.kafka.bootstrap, self.topic(kind)))

    def count(self, kind: str) -> int:
        """Number of committed records in a topic."""
        return len(self.whole_messages(kind))

    def wait_for(self, notes: int, seconds: float) -> None:
        """Wait until at least as many notes have outcomes (duplicates are counted)."""
        self.wait(lambda: self._distinct() >= notes, seconds)

    def wait(self, done: Callable[[], bool], seconds: float) -> None:
        """Wait for something that a worker must bring about; a dead group of workers fails."""

        def seen() -> bool:
            assert any(worker.running for worker in self.workers), self.logs()[-3000:]
            return done()

        wait_until(seen, seconds=seconds)

    def _distinct(self) -> int:
        if self.count("anonymized") + self.count("quarantine") == 0:
            return 0
        done = {str(record["output_id"]) for record in self.records("risk")}
        letters = {json.dumps(record["source"]) for record in self.records("quarantine")}
        return len(done) + len(letters)

    def keyring(self) -> Keyring:
        """The keys of the default tenant."""
        return Keyring(read_key(str(self.folder / "key")), 1, "default")

    def logs(self) -> str:
        """What all workers have said."""
        return "".join(worker.log.read_text(errors="replace") for worker in self.workers)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out of a run, compared with what went in."""

    emitted: int
    risks: int
    quarantined: int
    lost: int
    duplicates: int
    differing: int
    """Output ids under which different bytes were found."""
    unpaired: int
    """Notes without a risk record, or the other way round."""
    inconsistent: int
    """Originals of one patient that have more than one surrogate."""


def judge(service: Service, notes: Sequence[RawNote]) -> Verdict:
    """Read all output topics from their beginning and compare."""
    keyring = service.keyring()
    wanted = {keyring.pseudonym("note", note.note_id): note for note in notes}
    made, differing = _by_output(service.records("anonymized"))
    risks, differing_risks = _by_output(service.records("risk"))
    quarantined = len({json.dumps(r["source"]) for r in service.records("quarantine")})
    out = {str(record["note_id"]) for record in made.values()}
    patients = {n: patient_pseudonym(keyring, note.patient_id) for n, note in wanted.items()}
    assert all(record["patient_id"] == patients[str(record["note_id"])] for record in made.values())
    return Verdict(
        emitted=len(made),
        risks=len(risks),
        quarantined=quarantined,
        lost=len(wanted) - len(out) - quarantined,
        duplicates=service.count("anonymized") - len(made),
        differing=differing + differing_risks,
        unpaired=len(set(made) ^ set(risks)),
        inconsistent=_inconsistent(service.records("audit"), wanted),
    )


def _by_output(
    records: Sequence[dict[str, object]],
) -> tuple[dict[str, dict[str, object]], int]:
    found: dict[str, dict[str, object]] = {}
    differing: set[str] = set()
    for record in records:
        name = str(record["output_id"])
        if found.setdefault(name, record) != record:
            differing.add(name)
    return found, len(differing)


def _inconsistent(audits: Sequence[dict[str, object]], notes: Mapping[str, RawNote]) -> int:
    uses = SurrogateUses()
    for audit in audits:
        note, text = notes[str(audit["note_id"])], str(audit["text"])
        for one in audit["replacements"]:  # type: ignore[attr-defined]
            # What is doubtful becomes its label and no surrogate, by the words around it.
            if is_direct(PhiLabel(one["label"])) and one["operator"] != OperatorName.REDACT:
                original = canonical(note.text[one["start"] : one["end"]])
                made = text[one["out_start"] : one["out_end"]]
                uses.add((note.patient_id, one["label"], original), made, note.text)
    return uses.count_split()


async def _emptied(url: str) -> None:
    store = RedisSurrogateStore.connect(url)
    await store.client.flushdb()
    await store.close()


def _partitions(consumer: Consumer, topic: str) -> Iterator[TopicPartition]:
    for number in consumer.list_topics(topic, timeout=10).topics[topic].partitions:
        place = TopicPartition(topic, number, 0)
        low, high = _watermarks(consumer, place)
        if high > low:
            yield place


def _watermarks(consumer: Consumer, place: TopicPartition) -> tuple[int, int]:
    # A topic that was made a moment ago is listed before its partitions have leaders.
    deadline = time.monotonic() + 30
    while True:
        try:
            return consumer.get_watermark_offsets(place, timeout=10)
        except KafkaException as refused:
            error = refused.args[0]
            if error.code() not in _LEADERLESS or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _read(bootstrap: str, topic: str) -> Iterator[Message]:
    """Read the committed records of a topic, in order of partition and offset."""
    settings: dict[str, str | bool] = {
        "bootstrap.servers": bootstrap,
        "group.id": "reader",
        "enable.auto.commit": False,
        # Offsets do not say how many records there are: the ends of transactions have some too.
        "enable.partition.eof": True,
        "isolation.level": "read_committed",
    }
    consumer = Consumer(settings)
    try:
        places = list(_partitions(consumer, topic))
        consumer.assign(places)
        unread = {place.partition for place in places}
        found: list[Message] = []
        deadline = time.monotonic() + 60
        while unread and time.monotonic() < deadline:
            for message in consumer.consume(500, timeout=1.0):
                error = message.error()
                if error is None:
                    found.append(message)
                    continue
                assert error.code() == KafkaError._PARTITION_EOF  # noqa: SLF001 - its public name
                unread.discard(message.partition() or 0)
        assert not unread
        yield from sorted(found, key=lambda one: (one.partition() or 0, one.offset() or 0))
    finally:
        consumer.close()
