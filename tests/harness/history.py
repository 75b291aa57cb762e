"""Everything that came out: all records of the output topics, and which of them are committed."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from confluent_kafka import Consumer, KafkaException, TopicPartition

OUTPUTS = ("anonymized", "risk", "quarantine", "audit", "patients")
READ_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """One record of an output topic."""

    kind: str
    partition: int
    offset: int
    key: bytes = field(repr=False)
    value: bytes = field(repr=False)
    headers: bytes = field(repr=False)

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it lies."""
        return self.kind, self.partition, self.offset

    def fields(self) -> dict[str, Any]:
        """Return what it says."""
        parsed: dict[str, Any] = orjson.loads(self.value)
        return parsed


@dataclass(frozen=True, slots=True)
class History:
    """What a run left in its output topics."""

    records: tuple[OutputRecord, ...]
    """All that the broker holds, those of aborted transactions included, in order of place."""
    committed: frozenset[tuple[str, int, int]]
    """Places of the records that a reader of committed records gets."""

    def of(self, kind: str, *, committed: bool = False) -> list[OutputRecord]:
        """Return the records of one topic."""
        wanted = (r for r in self.records if r.kind == kind)
        return [r for r in wanted if not committed or r.place in self.committed]


def read_history(bootstrap: str, topics: Mapping[str, str]) -> History:
    """Read output topics from their beginning, by both kinds of reader."""
    everything = _read(bootstrap, topics, "read_uncommitted")
    seen = _read(bootstrap, topics, "read_committed")
    return History(tuple(everything), frozenset(record.place for record in seen))


def read_places(bootstrap: str, topic: str) -> set[tuple[int, int]]:
    """Return partition and offset of every record that a topic has, markers left out."""
    records = _read(bootstrap, {"raw": topic}, "read_uncommitted", ("raw",))
    return {(record.partition, record.offset) for record in records}


def _read(
    bootstrap: str, topics: Mapping[str, str], isolation: str, wanted: Sequence[str] = OUTPUTS
) -> list[OutputRecord]:
    kinds = {name: kind for kind, name in topics.items() if kind in wanted}
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "harness-reader",
            "enable.auto.commit": False,
            "isolation.level": isolation,
            "log_level": 0,
        }
    )
    try:
        ends = _ends(bootstrap, tuple(kinds))
        consumer.assign([TopicPartition(topic, number, 0) for topic, number in ends])
        return sorted(_consume(consumer, kinds, ends), key=lambda record: record.place)
    finally:
        consumer.close()


def _ends(bootstrap: str, topics: tuple[str, ...]) -> dict[tuple[str, int], int]:
    consumer = Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "harness-ends", "log_level": 0,
         "isolation.level": "read_uncommitted"}
    )  # fmt: skip
    ends: dict[tuple[str, int], int] = {}
    try:
        for topic in topics:
            for number in consumer.list_topics(topic, timeout=20).topics[topic].partitions:
                place = TopicPartition(topic, number)
                ends[topic, number] = consumer.get_watermark_offsets(place, timeout=20)[1]
    finally:
        consumer.close()
    return ends


def _consume(
    consumer: Consumer, kinds: Mapping[str, str], ends: Mapping[tuple[str, int], int]
) -> list[OutputRecord]:
    """Consume up to ``ends``; an open transaction is waited for, as any reader must."""
    found: list[OutputRecord] = []
    deadline = time.monotonic() + READ_SECONDS
    while True:
        for message in consumer.consume(1_000, timeout=0.2):
            if message.error() is not None:
                raise KafkaException(message.error())
            headers = repr(message.headers() or ()).encode()
            found.append(
                OutputRecord(
                    kinds[message.topic() or ""],
                    message.partition() or 0,
                    message.offset() or 0,
                    message.key() or b"",
                    message.value() or b"",
                    headers,
                )
            )
        if _is_at(consumer, ends):
            return found
        if time.monotonic() > deadline:
            message_text = "a reader does not reach the end: a transaction stays open"
            raise TimeoutError(message_text)


def _is_at(consumer: Consumer, ends: Mapping[tuple[str, int], int]) -> bool:
    places = [TopicPartition(*place) for place in ends]
    at = {(p.topic, p.partition): max(0, p.offset) for p in consumer.position(places)}
    return all(at[place] >= end for place, end in ends.items() if end)
