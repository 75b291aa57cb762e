"""Open the place of the outputs that a plan names."""

from pathlib import Path

from deidstream.agents.archive.delta_sink import DeltaSink
from deidstream.agents.archive.file_sinks import JSONL, PARQUET, FileSink
from deidstream.agents.archive.job_plan import JobPlan, SinkKind
from deidstream.agents.archive.postgres_sink import PostgresSink
from deidstream.agents.archive.shard_sink import ShardSink
from deidstream.agents.settings import Settings


def open_sink(plan: JobPlan, settings: Settings) -> ShardSink:
    """Return what keeps the outputs of a job.

    Args:
        plan: The plan.
        settings: With the URL of PostgreSQL.

    Raises:
        InvalidSettings: PostgreSQL is to keep them, and its URL is wrong.
        Unavailable: PostgreSQL cannot be reached.
    """
    if plan.sink is SinkKind.POSTGRES:
        return PostgresSink.open(settings.export.postgres_url, plan.out, plan.fingerprint)
    if plan.sink is SinkKind.DELTA:
        return DeltaSink(Path(plan.out), plan.fingerprint)
    form = JSONL if plan.sink is SinkKind.JSONL else PARQUET
    return FileSink(Path(plan.out), plan.fingerprint, form)
