"""Send the resources of NDJSON files to the input topic."""

from collections.abc import Sequence
from pathlib import Path

from deidstream.agents.feeds.fhir_files import FhirFiles, FhirTally
from deidstream.agents.feeds.file_sender import SendTally, send_all
from deidstream.agents.feeds.person_index import read_places
from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import Settings


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
    files = FhirFiles(paths, topic, tenant, settings.worker.note_bytes)
    await send_all(files.read_records(), connection, topic, skip=skip, sent=sent, total=total)
    return files.tally
