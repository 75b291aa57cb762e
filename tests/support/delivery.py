"""An outbox whose worker owns partitions, and messages as it reads them."""

from collections.abc import Mapping

from faust.types import TP

from deidstream.schemas.outcome import Place
from deidstream.stream.delivery.assignment import Assignment
from deidstream.stream.delivery.faust_reader import ReadMessage
from deidstream.stream.delivery.outbox import Delivery, Outbox
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.kafka.topics import Topics
from deidstream.stream.observing.health import Health
from support.notes import stamp

TOPICS = Topics("raw", "anonymized", "risk", "quarantine", None)
MEMBER = Membership("member", 1)
READING = 1


def assigned_outbox(
    delivery: Delivery,
    offsets: Mapping[Place, int],
    *,
    topics: Topics = TOPICS,
    limits: Mapping[str, int] | None = None,
    health: Health | None = None,
) -> Outbox:
    """An outbox of a worker that owns partitions with these committed positions."""
    assignment = Assignment()
    assignment.assign(offsets, MEMBER, READING)
    encoder = OutcomeEncoder(topics, stamp(), limits or {})
    return Outbox(delivery, encoder, assignment, health or Health(60))


def message_read(topic: str, partition: int, offset: int, reading: int = READING) -> ReadMessage:
    """A message as the worker's consumer reads it."""
    place = TP(topic, partition)
    message = ReadMessage(topic, partition, offset, 0.0, 0, None, None, b"", None, tp=place)
    message.reading = reading
    return message
