"""Send the probe's note and wait for its output."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import orjson
from aiokafka import AIOKafkaConsumer

from deidstream.agents.doctor.probe_note import ProbeResult, find_difference, make_probe
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.failures import DeliveryFailed
from deidstream.stream.delivery.producer import KafkaProducer, TopicRecord
from deidstream.stream.http.ops_server import serve
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import Logger

LOG = Logger("probe")


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """What became of one probe."""

    result: ProbeResult
    seconds: float
    """From sending to reading, or until it was given up."""
    why: str = ""
    """What is wrong, without text of the output."""


@dataclass(frozen=True, slots=True)
class Prober:
    """Sends probes and reads what becomes of them."""

    settings: Settings
    producer: KafkaProducer
    consumer: AIOKafkaConsumer
    wait_seconds: float
    tenant: str = "default"

    async def probe(self) -> ProbeOutcome:
        """Send one probe, wait for its output, and count what became of it."""
        start = time.monotonic()
        outcome = await self._send_and_read(start)
        metrics.count("deid_probe_notes_total", outcome.result)
        if outcome.result is ProbeResult.OK:
            metrics.observe("deid_probe_seconds", outcome.seconds)
            metrics.gauge("deid_probe_success_timestamp_seconds", time.time())
        return outcome

    async def _send_and_read(self, start: float) -> ProbeOutcome:
        kafka, correlation = self.settings.kafka, str(uuid.uuid4())
        note = make_probe(correlation, self.tenant)
        record = TopicRecord(kafka.raw_topic, note.patient_id.encode(), encode_note(note))
        try:
            async with asyncio.timeout(self.wait_seconds):
                await self.producer.send([record])
        except (TimeoutError, DeliveryFailed, Unavailable):
            return ProbeOutcome(ProbeResult.UNSENT, time.monotonic() - start)
        try:
            async with asyncio.timeout(start + self.wait_seconds - time.monotonic()):
                result, why = await self._read(correlation)
        except TimeoutError:
            result, why = ProbeResult.LATE, ""
        return ProbeOutcome(result, time.monotonic() - start, why)

    async def _read(self, correlation: str) -> tuple[ProbeResult, str]:
        wanted = correlation.encode()
        while True:
            record = await self.consumer.getone()
            value: bytes = record.value or b""
            if wanted not in value:
                continue
            fields = orjson.loads(value)
            if fields.get("correlation") != correlation:
                continue
            if record.topic == self.settings.kafka.quarantine_topic:
                return ProbeResult.QUARANTINED, str(fields["reason"])
            difference = find_difference(fields)
            return (ProbeResult.DIFFERENT, difference) if difference else (ProbeResult.OK, "")


@asynccontextmanager
async def connect_prober(
    settings: Settings, wait_seconds: float, tenant: str
) -> AsyncGenerator[Prober]:
    """Connect a prober, which reads from the present ends of the topics on.

    Raises:
        Unavailable: Kafka cannot be reached.
        InvalidSettings: Kafka does not accept this client.
    """
    connection = kafka_connection(settings.kafka)
    producer = await KafkaProducer.start(connection)
    try:
        topics = settings.kafka.anonymized_topic, settings.kafka.quarantine_topic
        async with open_committed_consumer(connection, topics, beginning="latest") as consumer:
            yield Prober(settings, producer, consumer, wait_seconds, tenant)
    finally:
        await producer.stop()


async def probe_once(settings: Settings, wait_seconds: float, tenant: str) -> ProbeOutcome:
    """Send one probe and return what became of it.

    Raises:
        Unavailable: Kafka cannot be reached.
        InvalidSettings: Kafka does not accept this client.
    """
    async with connect_prober(settings, wait_seconds, tenant) as prober:
        return await prober.probe()


async def probe_forever(
    settings: Settings, wait_seconds: float, tenant: str, every_seconds: float
) -> None:
    """Send probes until cancelled; serve their metrics at the address of the ops server.

    Raises:
        Unavailable: Kafka cannot be reached.
        InvalidSettings: Kafka does not accept this client, or the port is taken.
    """
    http = settings.http
    health = Health(10 * every_seconds + wait_seconds, started=True, assigned=1)
    server = await serve(health, host=http.host, port=http.port, token=http.token)
    try:
        async with connect_prober(settings, wait_seconds, tenant) as prober:
            LOG.info("ops-server", address=server.url, port=server.port)
            while True:
                outcome = await prober.probe()
                log = LOG.info if outcome.result is ProbeResult.OK else LOG.error
                seconds = round(outcome.seconds, 3)
                log("probe", result=outcome.result, seconds=seconds, reason=outcome.why or None)
                await asyncio.sleep(max(0.0, every_seconds - outcome.seconds))
    finally:
        await server.stop()
