"""Output topics of a real Kafka, filled as workers fill them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

import pytest
from confluent_kafka import Producer

from deidstream.agents.tables.output_parts import PartKind
from support.kafka import Kafka
from support.output_records import SampleNote
from support.processes import wait_until

GROUP = 40
"""Notes of a transaction."""


@dataclass(frozen=True, slots=True)
class OutputTopics:
    """Topics of one test."""

    kafka: Kafka
    names: Mapping[PartKind, str]

    @classmethod
    def create(cls, kafka: Kafka, monkeypatch: pytest.MonkeyPatch) -> "OutputTopics":
        """Create topics, and name them in the settings."""
        own = uuid4().hex[:8]
        names = {kind: f"{own}.{kind}" for kind in PartKind}
        kafka.create_topics(*names.values(), partitions=3)
        monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", kafka.bootstrap)
        for kind, name in names.items():
            monkeypatch.setenv(f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC", name)
        return cls(kafka, names)

    def make_anew(self) -> None:
        """Delete the topics, and create them again."""
        admin = self.kafka.admin()
        for done in admin.delete_topics(list(self.names.values())).values():
            done.result(30)
        wait_until(lambda: not self._present(), seconds=30)
        self.kafka.create_topics(*self.names.values(), partitions=3)

    def _present(self) -> set[str]:
        return set(self.kafka.admin().list_topics(timeout=10).topics) & set(self.names.values())

    def send(self, notes: Sequence[SampleNote], kinds: Iterable[PartKind] = PartKind) -> None:
        """Send the records of notes in transactions, one of which is aborted first."""
        sender = self._sender({"transactional.id": uuid4().hex})
        sender.init_transactions()
        wanted = list(kinds)
        self._send_group(sender, [SampleNote(999_983)], wanted)
        sender.abort_transaction()
        for start in range(0, len(notes), GROUP):
            self._send_group(sender, notes[start : start + GROUP], wanted)
            sender.commit_transaction()

    def send_value(self, kind: PartKind, value: bytes, partition: int = 0) -> None:
        """Send anything to one topic."""
        sender = self._sender({})
        sender.produce(self.names[kind], value=value, partition=partition)
        assert sender.flush(30) == 0

    def _send_group(
        self, sender: Producer, notes: Sequence[SampleNote], kinds: Sequence[PartKind]
    ) -> None:
        sender.begin_transaction()
        for note in notes:
            for kind, value in note.records().items():
                if kind in kinds:
                    sender.produce(self.names[kind], value=value, partition=note.partition)

    def _sender(self, more: Mapping[str, str]) -> Producer:
        return Producer({"bootstrap.servers": self.kafka.bootstrap, "linger.ms": 5, **more})
