"""Encode what became of a note into records of the output topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.outcome import (
    Anonymized,
    Coordinates,
    DeadLetter,
    Failed,
    LinkedPatients,
    Outcome,
    Retracted,
)
from deidstream.schemas.wire import (
    encode_anonymized,
    encode_audit,
    encode_dead_letter,
    encode_linked,
    encode_retraction,
    encode_risk,
    encode_sampled,
)
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.kafka.connection import REQUEST_BYTES
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.observing.tracing import HEADER

OVERHEAD_BYTES = 128
"""Most that a batch of one record adds to its key and value."""


@dataclass(frozen=True, slots=True)
class EncodedNote:
    """What became of a note, as it is delivered."""

    source: Coordinates
    outcome: Outcome
    records: tuple[TopicRecord, ...] = field(repr=False)
    traceparent: bytes | None = None
    """The header of the records that says to which trace they belong; ``None``: none."""


@dataclass(frozen=True, slots=True)
class OutcomeEncoder:
    """Encodes outcomes for the topics of a worker."""

    topics: Topics
    stamp: PipelineStamp
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    """Most bytes of a record, by topic; the producer's own limit where nothing is known."""
    is_drawn: Callable[[Anonymized], bool] | None = None
    """Whether an output is drawn for readers; ``None``: no output is."""

    def encode(
        self, source: Coordinates, outcome: Outcome, traceparent: bytes | None = None
    ) -> EncodedNote:
        """Encode an outcome, with the header of its trace.

        One that cannot be encoded, or has a record that its topic does not take, becomes a dead
        letter; the notes beside it go on.
        """
        try:
            encoded = self._make_note(source, outcome, traceparent)
        except Exception:  # noqa: BLE001 - an encoder may quote what it cannot encode
            failed = _fail(Reason.STAGE_FAILED, Stage.ENCODE, outcome)
            return self._make_note(source, failed, traceparent)
        if self.find_oversize(encoded.records):
            return self.refuse_oversize(encoded)
        return encoded

    def refuse_oversize(self, note: EncodedNote) -> EncodedNote:
        """Encode the dead letter of a note whose output is too large to be delivered."""
        failed = _fail(Reason.OUTPUT_TOO_LARGE, Stage.DELIVER, note.outcome)
        return self._make_note(note.source, failed, note.traceparent)

    def find_oversize(self, records: Sequence[TopicRecord]) -> bool:
        """Return whether a topic does not take one of the records."""
        return any(
            _size(record) > min(self.limits.get(record.topic, REQUEST_BYTES), REQUEST_BYTES)
            for record in records
        )

    def _make_note(
        self, source: Coordinates, outcome: Outcome, traceparent: bytes | None
    ) -> EncodedNote:
        headers = ((HEADER, traceparent),) if traceparent else ()
        made = (replace(record, headers=headers) for record in self._records(source, outcome))
        return EncodedNote(source, outcome, tuple(made), traceparent)

    def _records(self, source: Coordinates, outcome: Outcome) -> list[TopicRecord]:
        linked = [
            TopicRecord(self.topics.patients, _pair_key(one), encode_linked(one))
            for one in outcome.patients
        ]
        return [*self._records_of_note(source, outcome), *linked]

    def _records_of_note(self, source: Coordinates, outcome: Outcome) -> list[TopicRecord]:
        if isinstance(outcome, Failed):
            letter = encode_dead_letter(DeadLetter(source, outcome, outcome.stamp or self.stamp))
            return [TopicRecord(self.topics.quarantine, None, letter)]
        if isinstance(outcome, Retracted):
            key, value = outcome.patient_id.encode(), encode_retraction(outcome)
            topics = (self.topics.anonymized, self.topics.risk)
            return [TopicRecord(topic, key, value) for topic in topics]
        key = outcome.note.patient_id.encode()
        records = [
            TopicRecord(self.topics.anonymized, key, encode_anonymized(outcome.note)),
            TopicRecord(self.topics.risk, key, encode_risk(outcome)),
        ]
        if self.topics.audit:
            records.append(TopicRecord(self.topics.audit, key, encode_audit(outcome.note)))
        if self.topics.sample and self.is_drawn is not None and self.is_drawn(outcome):
            records.append(TopicRecord(self.topics.sample, key, encode_sampled(outcome, source)))
        return records


def _fail(reason: Reason, stage: Stage, outcome: Outcome) -> Failed:
    """Return the failure of a note whose outcome cannot leave; what it says of patients stays."""
    stated = outcome.note if isinstance(outcome, Anonymized) else outcome
    correlation = None if isinstance(stated, Retracted) else stated.correlation
    return Failed(reason, stage, correlation=correlation, patients=outcome.patients)


def _pair_key(linked: LinkedPatients) -> bytes:
    """Return a key that is the same whichever of two patients survives."""
    return "+".join(sorted((linked.patient_id, linked.other_id))).encode()


def _size(record: TopicRecord) -> int:
    headers = sum(len(name) + len(value) for name, value in record.headers)
    return len(record.key or b"") + len(record.value) + headers + OVERHEAD_BYTES
