"""Connect what delivers outcomes, as the settings say."""

from collections.abc import Mapping

from deidstream.agents.runtime.connections import kafka_connection, topics_of
from deidstream.agents.settings import EXACTLY_ONCE, KafkaSettings, Settings
from deidstream.schemas.errors import Unavailable
from deidstream.stream.delivery.failures import DeliveryFailed
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.outbox import Delivery
from deidstream.stream.delivery.plain import PlainDelivery
from deidstream.stream.delivery.producer import BATCH_BYTES, KafkaProducer
from deidstream.stream.delivery.transactions import TransactionalDelivery
from deidstream.stream.kafka.size_limits import SETTING, read_size_limits, too_small
from deidstream.stream.observing.logs import Logger

LOG = Logger("worker")
REMEDY = "raise it, or lower DEIDSTREAM_WORKER_NOTE_BYTES: larger outputs are quarantined"


async def connect_delivery(
    kafka: KafkaSettings, limits: Mapping[str, int]
) -> tuple[GroupOffsets, Delivery]:
    """Connect the group's positions and the producer.

    Args:
        kafka: How to connect and deliver.
        limits: Longest record of each topic, where it is known; no batch is longer.

    Raises:
        InvalidSettings: The brokers are too old for exactly-once.
        Unavailable: Kafka is unavailable.
    """
    connection, exactly_once = kafka_connection(kafka), kafka.delivery == EXACTLY_ONCE
    offsets = await GroupOffsets.connect(connection, kafka.group, stable=exactly_once)
    batch_bytes = min([BATCH_BYTES, *limits.values()])
    delivery: Delivery
    if exactly_once:
        delivery = TransactionalDelivery(
            connection, offsets, kafka.transaction_seconds, batch_bytes
        )
    else:
        delivery = PlainDelivery(KafkaProducer(connection, batch_bytes=batch_bytes), offsets)
    try:
        # Brokers that are too old for this are refused here, not at the first assignment.
        await offsets.fetch([(kafka.raw_topic, 0)])
        await delivery.renew()
    except DeliveryFailed as failed:
        msg = f"kafka ({failed.kind})"
        raise Unavailable(msg) from None
    return offsets, delivery


async def read_limits(settings: Settings) -> dict[str, int]:
    """Read how long records may be; log each topic that the longest note may not fit in.

    Raises:
        Unavailable: Kafka is unavailable.
    """
    topics, note_bytes = topics_of(settings), settings.worker.note_bytes
    limits = await read_size_limits(kafka_connection(settings.kafka), topics.all())
    outputs = [name for name in topics.all() if name != topics.raw]
    for name, limit in too_small(limits, outputs, note_bytes).items():
        LOG.warning("output-limit", topic=name, reason=f"{SETTING} is {limit}: {REMEDY}")
    return limits
