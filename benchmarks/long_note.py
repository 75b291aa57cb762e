"""How long short notes wait while a worker reads a long one, on a real Kafka and a real Redis.

    make services && PYTHONPATH=tests python benchmarks/long_note.py [--bytes N] [--rate R] ...

Short notes of many patients are sent at a steady rate to four partitions, and after a third of them
one long note of ordinary text. The wait of a note is the time from its sending until a reader of
committed records has its output. Printed for each way of delivery: the longest wait of a short note
of another partition, of one of the same partition, and of the long note; then what was lost, came
twice, or came out of the order of its patient.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, Producer, TopicPartition

from deidstream.agents.demo.demo import sample_notes
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from support.kafka import Kafka, running_kafka
from support.redis_server import Redis, running_redis
from support.service import PARTITIONS, Service

WAYS = ("exactly-once", "at-least-once")
WARM_UP = 20
"""Notes that are read before anything is measured: the worker starts with them."""
PATIENTS = 40
SHORT = 500
"""Characters of a short note: a machine that does other work keeps up with them."""
LIMITS = {"message.max.bytes": 16 * 2**20}
"""The output of a long note is longer than what a broker takes by default."""
MOST_SECONDS = 600
"""Longest wait for all outputs after the last note was sent."""


@dataclass(slots=True)
class SentNote:
    """A note on its way."""

    number: int
    patient: str
    length: int
    sent_at: float = 0.0
    partition: int = -1
    seen_at: list[float] = field(default_factory=list[float])

    @property
    def wait(self) -> float:
        """Seconds from the sending of the note to its first output."""
        return self.seen_at[0] - self.sent_at


@dataclass(frozen=True, slots=True)
class Waits:
    """The longest waits of one run, in seconds, and what went wrong in it."""

    other_partitions: float
    same_partition: float
    long_note: float
    lost: int
    twice: int
    disordered: int


@dataclass(slots=True)
class Feed:
    """Sends notes, and reads their outputs as they come."""

    service: Service
    producer: Producer
    outputs: list[Consumer]
    notes: dict[str, SentNote] = field(default_factory=dict[str, SentNote])
    """By the id of the note in its output."""
    order: list[SentNote] = field(default_factory=list[SentNote])
    """As outputs come, each note once."""

    @classmethod
    def open(cls, service: Service) -> "Feed":
        """Begin to read the outputs of a worker."""
        bootstrap = service.kafka.bootstrap
        outputs = [
            Consumer(
                {
                    "bootstrap.servers": bootstrap,
                    "group.id": f"reader-{kind}",
                    "isolation.level": "read_committed",
                }
            )
            for kind in ("anonymized", "quarantine")
        ]
        for kind, consumer in zip(("anonymized", "quarantine"), outputs, strict=True):
            topic = service.topic(kind)
            consumer.assign([TopicPartition(topic, n, OFFSET_BEGINNING) for n in range(PARTITIONS)])
        return cls(service, Producer({"bootstrap.servers": bootstrap, "linger.ms": 1}), outputs)

    def send(self, note: RawNote) -> SentNote:
        """Send a note, keyed by its patient."""
        sent = SentNote(len(self.notes), note.patient_id, len(note.text), time.perf_counter())
        self.notes[self.service.keyring().pseudonym("note", note.note_id)] = sent

        def keep_partition(_: object, message: Message) -> None:
            partition = message.partition()
            sent.partition = -1 if partition is None else partition

        value = encode_note(note)
        topic = self.service.topic("raw")
        self.producer.produce(topic, value, note.patient_id, on_delivery=keep_partition)
        self.producer.poll(0)
        return sent

    def send_paced(self, notes: Sequence[RawNote], rate: float) -> None:
        """Send so many notes in a second, and read outputs meanwhile."""
        start = time.perf_counter()
        for number, note in enumerate(notes, 1):
            self.send(note)
            self.read(max(0.001, start + number / rate - time.perf_counter()))

    def read(self, seconds: float) -> None:
        """Read outputs for so long."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.producer.poll(0)
            for message in self.outputs[0].consume(50, timeout=min(left, 0.05)):
                if not message.error():
                    self._see(json.loads(message.value() or b"{}"))

    def _see(self, record: dict[str, object]) -> None:
        note = self.notes[str(record["note_id"])]
        if not note.seen_at:
            self.order.append(note)
        note.seen_at.append(time.perf_counter())

    @property
    def unseen(self) -> int:
        """Notes without an output."""
        return sum(not note.seen_at for note in self.notes.values())

    def quarantined(self) -> int:
        """Count the dead letters that came since the last look, and print their reasons."""
        letters = [each for each in self.outputs[1].consume(1_000, timeout=2.0) if not each.error()]
        for letter in letters:
            print("quarantined:", json.loads(letter.value() or b"{}")["reason"])
        return len(letters)


def make_long_note(size: int) -> RawNote:
    """Return a note of ordinary text: all sample notes, as often as it takes."""
    text = ""
    while len(text) < size:
        text += "\n\n".join(note.text for note in sample_notes()) + "\n\n"
    return RawNote("long", "patient-0", text[:size])


def make_short_notes(count: int) -> list[RawNote]:
    """Return sample notes, each of one of a few patients."""
    samples = sample_notes()
    return [
        replace(
            samples[number % len(samples)],
            note_id=f"short-{number}",
            patient_id=f"patient-{number % PATIENTS}",
            text=samples[number % len(samples)].text[:SHORT],
        )
        for number in range(count)
    ]


def measure(service: Service, given: argparse.Namespace) -> Waits:
    """Run one worker; return the waits."""
    service.start_worker()
    feed = Feed.open(service)
    short = make_short_notes(WARM_UP + given.notes)
    for note in short[:WARM_UP]:
        feed.send(note)
    while feed.unseen:
        feed.read(0.5)
    first = WARM_UP + given.notes // 3
    feed.send_paced(short[WARM_UP:first], given.rate)
    long_note = feed.send(make_long_note(given.bytes))
    feed.send_paced(short[first:], given.rate)
    deadline = time.perf_counter() + MOST_SECONDS
    letters = 0
    while feed.unseen > letters and time.perf_counter() < deadline:
        feed.read(1.0)
        letters += feed.quarantined()
    feed.read(2.0)
    return judge(feed, long_note, letters)


def judge(feed: Feed, long_note: SentNote, letters: int) -> Waits:
    """Compare what came out with what was sent."""
    seen = [note for note in feed.notes.values() if note.seen_at and note.number >= WARM_UP]
    measured = [note for note in seen if note is not long_note]
    same = [n.wait for n in measured if n.partition == long_note.partition]
    other = [n.wait for n in measured if n.partition != long_note.partition]
    return Waits(
        other_partitions=max(other, default=0.0),
        same_partition=max(same, default=0.0),
        long_note=long_note.wait if long_note.seen_at else float("nan"),
        lost=feed.unseen - letters,
        twice=sum(len(note.seen_at) > 1 for note in seen),
        disordered=count_disordered(feed.order),
    )


def count_disordered(order: Sequence[SentNote]) -> int:
    """Count the notes that came after a later note of their patient."""
    last: dict[str, int] = {}
    disordered = 0
    for note in order:
        disordered += note.number < last.get(note.patient, -1)
        last[note.patient] = max(note.number, last.get(note.patient, -1))
    return disordered


def run_ways(kafka: Kafka, redis: Redis, folder: Path, given: argparse.Namespace) -> None:
    """Measure each way of delivery and print what was found."""
    for way in given.ways:
        home = folder / way
        home.mkdir()
        service = Service(kafka, redis.url, home, {"DEIDSTREAM_KAFKA_DELIVERY": way})
        try:
            found = measure(service, given)
        finally:
            service.stop()
        print(
            f"{way:14} longest wait: other partitions {found.other_partitions:.1f} s, "
            f"same partition {found.same_partition:.1f} s, long note {found.long_note:.1f} s; "
            f"lost {found.lost}, twice {found.twice}, disordered {found.disordered}",
            flush=True,
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=400_000, help="of the long note")
    parser.add_argument("--notes", type=int, default=300, help="short notes")
    parser.add_argument("--rate", type=float, default=4.0, help="short notes in a second")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        homes = Path(name) / "kafka", Path(name) / "redis"
        for home in homes:
            home.mkdir()
        with running_kafka(homes[0], settings=LIMITS) as kafka, running_redis(homes[1]) as redis:
            run_ways(kafka, redis, Path(name), given)


if __name__ == "__main__":
    main()
