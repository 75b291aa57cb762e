"""Connect what delivers outcomes, as the settings say."""

from deidstream.agents.connections import kafka_connection, topics_of
from deidstream.agents.settings import EXACTLY_ONCE, KafkaSettings, Settings
from deidstream.stream.delivery.group_offsets import GroupOffsets
from deidstream.stream.delivery.outbox import Delivery
from deidstream.stream.delivery.plain import PlainDelivery
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.delivery.transactions import TransactionalDelivery
from deidstream.stream.kafka.size_limits import SETTING, read_size_limits, too_small
from deidstream.stream.logs import Logger

LOG = Logger("worker")
REMEDY = "raise it, or lower DEIDSTREAM_WORKER_NOTE_BYTES: larger outputs are quarantined"


async def connect_delivery(kafka: KafkaSettings) -> tuple[GroupOffsets, Delivery]:
    """Connect the group's positions and the producer.

    Raises:
        InvalidSettings: The brokers are too old for exactly-once.
        Unavailable: Kafka is unavailable.
    """
    connection, exactly_once = kafka_connection(kafka), kafka.delivery == EXACTLY_ONCE
    offsets = await GroupOffsets.connect(connection, kafka.group, stable=exactly_once)
    delivery: Delivery
    if exactly_once:
        delivery = TransactionalDelivery(connection, offsets, kafka.transaction_seconds)
    else:
        delivery = PlainDelivery(KafkaProducer(connection), offsets)
    # Brokers that are too old for this are refused here, not at the first assignment.
    await offsets.fetch([(kafka.raw_topic, 0)])
    await delivery.renew()
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
