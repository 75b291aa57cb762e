"""Send the resources of NDJSON files to the input topic."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from deidstream.agents.feeds.fhir_files import FhirFiles, FhirTally
from deidstream.agents.feeds.file_sender import CHUNK, SendTally, send_records
from deidstream.agents.feeds.person_index import read_places
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.kafka.topics import describe_missing, list_topics


async def ingest_fhir(
    paths: Sequence[Path], settings: Settings, *, tenant: str, skip: int, sent: SendTally
) -> FhirTally:
    """Send the resources of files to the input topic, patients first.

    The same files give the same records in the same order, so that a run which was ended early is
    continued by skipping what the broker has.

    Args:
        paths: NDJSON files, as a bulk export writes them.
        settings: All settings.
        tenant: Whose notes they are.
        skip: How many records are not sent.
        sent: Counts the others, also when the run ends early.

    Raises:
        MissingArtefact: A file cannot be read.
        InvalidSettings: The topic does not exist, or Kafka refuses this client.
        Unavailable: Kafka cannot be reached.
    """
    topic, connection = settings.kafka.raw_topic, kafka_connection(settings.kafka)
    total = sum(1 for path in paths for _ in read_places(path))
    if topic not in await list_topics(connection):
        raise InvalidSettings(describe_missing([topic], connection))
    files = FhirFiles(paths, topic, tenant, settings.worker.note_bytes)
    records = files.read_records()
    producer = await KafkaProducer.start(connection)
    try:
        with progress("resources") as bar:
            task = bar.add_task("ingest", total=total)
            for _ in islice(records, skip):
                bar.advance(task)
            while chunk := list(islice(records, CHUNK)):
                await send_records(producer, chunk, sent)
                bar.advance(task, len(chunk))
    finally:
        await producer.stop()
    return files.tally
