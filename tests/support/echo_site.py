"""Topics of one test, notes in them, and echo workers that are started and killed at will."""

import json
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Producer, TopicPartition

from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from support.echo_worker import run_echo_worker
from support.forked import fork
from support.kafka import Kafka
from support.processes import Process, wait_until

KINDS = ("raw", "anonymized", "risk", "quarantine", "patients")


def numbered(first: int, last: int, patients: int = 17) -> list[RawNote]:
    """Notes with consecutive numbers, each of one of a few patients."""
    return [RawNote(f"{n:06d}", f"patient-{n % patients}", "quiet") for n in range(first, last)]


@dataclass(slots=True)
class EchoSite:
    """One test's topics, group and workers."""

    kafka: Kafka
    redis_url: str
    folder: Path
    partitions: int = 4
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    config: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Settings of topics, by their kind."""
    run: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    workers: list[Process] = field(default_factory=list[Process])

    def __post_init__(self) -> None:
        """Make the topics and a key."""
        (self.folder / "key").write_text(bytes(range(32)).hex())
        (self.folder / "key").chmod(0o600)
        for kind in KINDS:
            self.make_topic(kind)

    def topic(self, kind: str) -> str:
        """Name of a topic."""
        return f"e-{self.run}.{kind}"

    @property
    def group(self) -> str:
        """Name of the consumer group."""
        return f"g-{self.run}"

    def make_topic(self, kind: str) -> None:
        """Make a topic."""
        self.kafka.create_topics(
            self.topic(kind), partitions=self.partitions, config=self.config.get(kind)
        )

    def make_topic_anew(self, kind: str) -> None:
        """Delete a topic, wait until it is gone, and make it."""
        admin, topic = self.kafka.admin(), self.topic(kind)
        admin.delete_topics([topic])[topic].result(20)
        wait_until(lambda: topic not in admin.list_topics(timeout=5).topics, seconds=30)
        self.make_topic(kind)

    def start_worker(self, **more: str) -> Process:
        """Start a worker."""
        log = self.folder / f"worker-{len(self.workers)}.log"
        topics = {f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC": self.topic(kind) for kind in KINDS}
        settings = {
            "OMP_NUM_THREADS": "1",
            "DEIDSTREAM_KAFKA_BROKERS": self.kafka.bootstrap,
            "DEIDSTREAM_KAFKA_GROUP": self.group,
            "DEIDSTREAM_KAFKA_CREATE_TOPICS": "false",
            "DEIDSTREAM_KAFKA_SESSION_SECONDS": "6",
            "DEIDSTREAM_KAFKA_TRANSACTION_SECONDS": "5",
            "DEIDSTREAM_REDIS_URL": self.redis_url,
            "DEIDSTREAM_KEY_FILE": str(self.folder / "key"),
            "DEIDSTREAM_HTTP_PORT": "0",
        }
        log.touch()
        env = settings | topics | dict(self.settings) | more
        worker = fork(run_echo_worker, log=log, env=env)
        self.workers.append(worker)
        return worker

    def address(self, worker: Process, seconds: float = 120) -> str:
        """Wait for the address of a worker's ops server."""
        found: list[str] = []

        def seen() -> bool:
            lines = worker.log.read_text(errors="replace").splitlines()
            found.extend(json.loads(line)["address"] for line in lines if '"ops-server"' in line)
            assert worker.running, worker.last_words()
            return bool(found)

        wait_until(seen, seconds=seconds)
        return found[0]

    def stop(self) -> None:
        """Stop every worker."""
        for worker in self.workers:
            worker.stop(40)

    def send(self, notes: Sequence[RawNote], producer: Producer | None = None) -> None:
        """Put notes into the input topic, keyed by patient."""
        sink = producer or Producer({"bootstrap.servers": self.kafka.bootstrap, "linger.ms": 5})
        errors: list[KafkaError] = []

        def see(error: KafkaError | None, _: object) -> None:
            if error is not None:
                errors.append(error)

        for note in notes:
            sink.produce(self.topic("raw"), encode_note(note), note.patient_id, on_delivery=see)
            sink.poll(0)
        assert (sink.flush(60), errors) == (0, [])

    def values(self, kind: str, isolation: str = "read_committed") -> list[tuple[int, bytes]]:
        """Partition and value of each record of a topic, in order of partition and offset."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.kafka.bootstrap,
                "group.id": f"reader-{uuid.uuid4().hex}",
                "enable.auto.commit": False,
                "isolation.level": isolation,
                "enable.partition.eof": True,
                "log_level": 0,
            }
        )
        topic, found = self.topic(kind), list[tuple[int, int, bytes]]()
        consumer.assign(
            [TopicPartition(topic, n, OFFSET_BEGINNING) for n in range(self.partitions)]
        )
        ended = set[int]()
        while len(ended) < self.partitions:
            for record in consumer.consume(500, 1.0):
                if record.error():
                    ended.add(record.partition() or 0)
                else:
                    place = record.partition() or 0, record.offset() or 0
                    found.append((*place, record.value() or b""))
        consumer.close()
        return [(partition, value) for partition, _, value in sorted(found)]

    def ids(self, kind: str = "anonymized", isolation: str = "read_committed") -> list[str]:
        """Ids of the notes in an output topic, in order of partition and offset."""
        return [json.loads(value)["note_id"] for _, value in self.values(kind, isolation)]

    def wait_for(self, notes: int, seconds: float) -> None:
        """Wait until so many different notes have come out."""
        self.wait(lambda: len(set(self.ids())) >= notes, seconds)

    def wait(self, done: Callable[[], bool], seconds: float) -> None:
        """Wait for something that a worker must bring about; a dead group of workers fails."""

        def seen() -> bool:
            assert any(each.running for each in self.workers), self.logs()[-3000:]
            return done()

        wait_until(seen, seconds=seconds, pause=0.25)

    def logs(self) -> str:
        """What all workers have said."""
        return "".join(worker.log.read_text(errors="replace") for worker in self.workers)

    def committed(self) -> dict[int, int]:
        """Committed position of each partition of the input topic."""
        consumer = Consumer(
            {"bootstrap.servers": self.kafka.bootstrap, "group.id": self.group, "log_level": 0}
        )
        places = [TopicPartition(self.topic("raw"), n) for n in range(self.partitions)]
        found = {each.partition: each.offset for each in consumer.committed(places, timeout=20)}
        consumer.close()
        return found


@dataclass(frozen=True, slots=True)
class Account:
    """What came out, compared with what was sent."""

    lost: int
    duplicates: int
    disordered: int
    """Notes of a patient whose first output lies behind that of a later note."""


def account(site: EchoSite, sent: Sequence[RawNote], isolation: str = "read_committed") -> Account:
    """Compare the output topic with what was sent."""
    counts = Counter(site.ids(isolation=isolation))
    records = [json.loads(value) for _, value in site.values("anonymized", isolation)]
    highest: dict[str, str] = {}
    seen = set[str]()
    disordered = 0
    for record in records:
        if record["note_id"] in seen:
            continue
        seen.add(record["note_id"])
        disordered += record["note_id"] < highest.get(record["patient_id"], "")
        highest[record["patient_id"]] = max(
            record["note_id"], highest.get(record["patient_id"], "")
        )
    lost = {note.note_id for note in sent} - set(counts)
    return Account(len(lost), sum(counts.values()) - len(counts), disordered)
