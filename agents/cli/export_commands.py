"""The command ``export``: the output topics as tables for analysts."""

import argparse
import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import settings_from, whole_number
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.schemas.errors import InvalidSettings

if TYPE_CHECKING:
    from deidstream.agents.settings import Settings
    from deidstream.agents.tables.note_table import NoteTable
    from deidstream.agents.tables.output_parts import PartKind
    from deidstream.agents.tables.table_export import ExportTally


def add_export(verbs: Verbs) -> None:
    """Add ``deidstream export``."""
    help_text = "keep a table of the outputs, one row for each note"
    inner = verbs.add_group("export", help=help_text, metavar="KIND")
    for kind, where, target in (
        ("parquet", "DIR", "Parquet files by month"),
        ("duckdb", "FILE", "a DuckDB file"),
        ("delta", "DIR", "a Delta Lake table"),
        ("postgres", None, "PostgreSQL (DEIDSTREAM_EXPORT_POSTGRES_URL)"),
    ):
        examples = [f"deidstream export {kind} tables --follow"] if where else ()
        verb = inner.add_parser(kind, help=f"into {target}", examples=examples)
        if where:
            verb.add_argument("where", metavar=where, type=Path)
        verb.add_argument("--follow", action="store_true", help="go on until stopped")
        verb.add_argument(
            "--entities", action="store_true", help="count entities by label, from the audit topic"
        )
        verb.add_argument(
            "--port",
            metavar="N",
            type=whole_number(1, 65_535),
            help="serve /metrics at DEIDSTREAM_HTTP_HOST",
        )
        verb.set_defaults(run=_export, kind=kind)


def _export(arguments: argparse.Namespace) -> int:
    settings = settings_from()
    table = _open_table(arguments.kind, settings, arguments)
    try:
        tally = asyncio.run(_run(table, settings, arguments))
    finally:
        table.close()
    _report(tally)
    return 0


def _open_table(kind: str, settings: "Settings", arguments: argparse.Namespace) -> "NoteTable":
    if kind == "parquet":
        from deidstream.agents.tables.parquet_table import ParquetTable

        return ParquetTable.open(arguments.where)
    if kind == "duckdb":
        from deidstream.agents.tables.duckdb_table import DuckDbTable

        return DuckDbTable.open(arguments.where)
    if kind == "delta":
        from deidstream.agents.tables.delta_table import DeltaNotes

        return DeltaNotes.open(arguments.where)
    if kind == "postgres":
        from deidstream.agents.tables.postgres_table import PostgresTable

        if not settings.export.postgres_url.startswith("postgres"):
            msg = "DEIDSTREAM_EXPORT_POSTGRES_URL: must be postgresql://USER@HOST/DATABASE, or"
            msg += " _FILE a file that holds such a URL"
            raise InvalidSettings(msg)
        return PostgresTable.open(settings.export.postgres_url, settings.export.postgres_schema)
    msg = f"export: no table is opened for the kind {kind}"
    raise AssertionError(msg)


async def _run(
    table: "NoteTable", settings: "Settings", arguments: argparse.Namespace
) -> "ExportTally":
    from deidstream.agents.runtime.connections import kafka_connection
    from deidstream.agents.tables.table_export import TableExport
    from deidstream.stream.kafka.partition_reader import PartitionReader

    kinds = _kinds(settings, entities=arguments.entities)
    async with AsyncExitStack() as stack:
        connection = kafka_connection(settings.kafka)
        reader = await stack.enter_async_context(PartitionReader.open(connection, kinds))
        export = TableExport(table, reader, kinds)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, export.stopping.set)
        if arguments.port:
            from deidstream.stream.http.ops_server import serve
            from deidstream.stream.observing.health import Health

            health = Health(settings.worker.stall_seconds, started=True)
            http = settings.http
            server = await serve(
                health, host=http.host, port=arguments.port, token=http.token, named="--port"
            )
            stack.push_async_callback(server.stop)
        return await export.run(follow=arguments.follow)


def _kinds(settings: "Settings", *, entities: bool) -> "dict[str, PartKind]":
    from deidstream.agents.tables.output_parts import PartKind

    kafka = settings.kafka
    kinds = {kafka.anonymized_topic: PartKind.NOTE, kafka.risk_topic: PartKind.RISK}
    return kinds | ({kafka.audit_topic: PartKind.ENTITIES} if entities else {})


def _report(tally: "ExportTally") -> None:
    written = tally.written
    say(f"{tally.records} records read; {written.rows} rows written, {written.deleted} deleted")
    if tally.skipped:
        say(f"{tally.skipped} records do not match their topic's schema and were skipped")
    if tally.waiting or tally.given_up:
        say(f"{tally.waiting + tally.given_up} records have no counterpart yet in the other topics")
