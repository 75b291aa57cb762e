"""Run the MLLP listener: start its parts in order, run until a signal, finish, stop."""

import asyncio
import os
import signal
from collections.abc import Callable

from deidstream.agents.feeds.message_desk import MessageDesk
from deidstream.agents.feeds.message_records import MessageReader
from deidstream.agents.feeds.mllp_listener import MllpListener
from deidstream.agents.feeds.raw_feed import RawFeed
from deidstream.agents.feeds.seen_messages import SeenMessages
from deidstream.agents.feeds.senders import Senders
from deidstream.agents.runtime.connections import kafka_connection, topics_of
from deidstream.agents.runtime.production import refuse_unsafe
from deidstream.agents.settings import MllpSettings, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.http.ops_server import serve
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.kafka.topics import create_topics, describe_missing, list_topics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("mllp")
DONE, BROKEN = 0, 70


async def run_mllp(settings: Settings, *, started: Callable[[int], None] | None = None) -> int:
    """Take HL7 v2 messages until SIGTERM or SIGINT.

    Args:
        settings: All settings.
        started: Called with the port once messages are taken.

    Returns:
        The exit code: 0 after a signal, 70 when something broke.

    Raises:
        Unavailable: Kafka is unavailable at the start.
        Refused: A setting is wrong, or the input topic is missing.
    """
    refuse_unsafe(settings, os.environ)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    senders, context = Senders.read(settings.mllp), server_tls(settings.mllp).context()
    await _check_topic(settings)
    health = Health(settings.worker.stall_seconds, assigned=1)
    http = settings.http
    ops = await serve(health, host=http.host, port=http.port, token=http.token)
    feed = RawFeed(KafkaProducer(kafka_connection(settings.kafka)), settings.mllp.broker_seconds)
    desk = MessageDesk(
        feed=feed,
        reader=MessageReader(senders, settings.kafka.raw_topic, settings.worker.note_bytes),
        seen=SeenMessages(settings.mllp.remembered, settings.mllp.remembered_seconds),
        health=health,
        message_bytes=settings.mllp.message_bytes,
    )
    listener = MllpListener(desk, settings.mllp)
    sending = asyncio.create_task(feed.run())
    try:
        port = await listener.listen(context)
        health.started = True
        LOG.info("started", port=port, address=settings.mllp.host)
        if started:
            started(port)
        broken = await wait_end(stop, sending)
        finished = await listener.stop(0 if broken else settings.worker.drain_seconds)
        LOG.info("drained" if finished else "drain-deadline")
        return BROKEN if broken else DONE
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await feed.stop()
        await ops.stop()


async def wait_end(stop: asyncio.Event, sending: asyncio.Task[None]) -> bool:
    """Wait for a signal; return whether the sending to Kafka has broken instead."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({stopping, sending}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if sending.done() and (error := sending.exception()) is not None:
        LOG.error("feed-broken", kind=type(error).__name__)
    return sending.done()


def server_tls(settings: MllpSettings) -> ServerTls:
    """Return the TLS files of the listener."""
    return ServerTls(
        "DEIDSTREAM_MLLP",
        settings.tls_certificate,
        settings.tls_key,
        settings.tls_key_password,
        settings.tls_client_ca,
    )


async def _check_topic(settings: Settings) -> None:
    kafka, connection = settings.kafka, kafka_connection(settings.kafka)
    if kafka.create_topics:
        partitions, replication = kafka.partitions, kafka.replication
        await create_topics(
            connection, topics_of(settings), partitions=partitions, replication=replication
        )
    elif kafka.raw_topic not in await list_topics(connection):
        raise InvalidSettings(describe_missing([kafka.raw_topic], connection))
