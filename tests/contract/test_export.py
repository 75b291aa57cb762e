"""``deidstream export`` from a real Kafka: one row for each note, whatever happens."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.tables.note_columns import NAMES
from deidstream.agents.tables.output_parts import PartKind
from support.kafka import Kafka
from support.output_records import SampleNote, history, left_over
from support.ports import free_port
from support.postgres import Postgres
from support.processes import start, wait_until
from support.sent_outputs import OutputTopics
from support.table_sites import (
    TableSite,
    delta_site,
    duckdb_site,
    outputs,
    parquet_site,
    postgres_site,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.broker, pytest.mark.postgres, pytest.mark.slow]
NOTES = history(120)
KILLED_IN_WRITE = """
import os, signal, sys, threading
from deidstream.agents.cli.main import main
from deidstream.agents.tables import table_export
from deidstream.stream.kafka import partition_reader
table_export.MOST_CHANGES = 3
partition_reader.MOST_RECORDS = 7
left = int(sys.argv[1])
write = table_export.TableExport._write
async def write_and_die(export):
    global left
    left -= 1
    if left == 0:
        threading.Timer(0.004, os.kill, (os.getpid(), signal.SIGKILL)).start()
    await write(export)
table_export.TableExport._write = write_and_die
sys.exit(main(sys.argv[2:]))
"""


parquet_alone = pytest.mark.parametrize("make_site", ["parquet"], indirect=True)
"""For what does not depend on the kind of table."""


@pytest.fixture
def topics(kafka: Kafka, monkeypatch: pytest.MonkeyPatch) -> OutputTopics:
    return OutputTopics.create(kafka, monkeypatch)


@pytest.fixture(params=["parquet", "duckdb", "delta", "postgres"])
def make_site(
    request: pytest.FixtureRequest,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> "Callable[[str], TableSite]":
    """Makes a table of one kind, by a name of its own."""
    monkeypatch.setenv("DEIDSTREAM_EXPORT_POSTGRES_URL", postgres.url)
    kinds = {"parquet": parquet_site, "duckdb": duckdb_site, "delta": delta_site}

    def make(name: str) -> TableSite:
        folder = tmp_path / name
        folder.mkdir()
        kind = kinds.get(request.param)
        return kind(folder) if kind else postgres_site(postgres)

    return make


def words(site: TableSite, monkeypatch: pytest.MonkeyPatch, *more: str) -> list[str]:
    """The command line of a table; a schema is a setting."""
    kind, where = site.words
    if kind == "postgres":
        monkeypatch.setenv("DEIDSTREAM_EXPORT_POSTGRES_SCHEMA", where)
        return ["export", kind, *more]
    return ["export", kind, where, *more]


def test_a_replay_leaves_the_tables_byte_identical(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = make_site("followed")
    topics.send(NOTES)
    assert main(words(site, monkeypatch)) == 0
    assert outputs(site.read()) == left_over(NOTES)
    rows, digest = site.read(), site.digest()
    assert main(words(site, monkeypatch)) == 0
    assert site.digest() == digest
    # All again, as after a reset of the group, and a few more copies as at least once gives.
    topics.send(NOTES)
    topics.send(NOTES[-20:])
    assert main(words(site, monkeypatch)) == 0
    assert site.read() == rows
    fresh = make_site("fresh")
    assert main(words(fresh, monkeypatch)) == 0
    assert fresh.read() == rows
    if site.words[0] == "parquet":
        assert site.digest() == fresh.digest() == digest


@parquet_alone
def test_a_topic_may_be_far_behind_the_other(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = make_site("late")
    topics.send(NOTES, [PartKind.NOTE])
    assert main(words(site, monkeypatch)) == 0
    # Of cancelled notes no part waits: there is no row to delete.
    assert "110 records have no counterpart" in capsys.readouterr().err
    assert site.read() == []
    topics.send(NOTES, [PartKind.RISK])
    assert main(words(site, monkeypatch)) == 0
    assert outputs(site.read()) == left_over(NOTES)


def test_killed_anywhere_it_resumes_to_one_row_for_each_note(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = make_site("killed")
    topics.send(NOTES)
    command = [sys.executable, "-c", KILLED_IN_WRITE, "6", *words(site, monkeypatch)]
    run = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)  # noqa: S603
    assert run.returncode == -signal.SIGKILL
    assert 0 < len(site.read()) < len(left_over(NOTES))
    assert main(words(site, monkeypatch)) == 0
    assert outputs(site.read()) == left_over(NOTES)


@parquet_alone
def test_a_record_that_is_none_costs_only_itself(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = make_site("poisoned")
    topics.send(NOTES[:10])
    for value in (b"", b"{", b"[]", b'{"schema":1,"text":"Zyxwv"}', b'{"schema":9}', b"\xff"):
        topics.send_value(PartKind.NOTE, value)
    topics.send_value(PartKind.RISK, b'{"schema":1,"output_id":"Zyxwv","note_id":5}')
    topics.send(NOTES[10:])
    assert main(words(site, monkeypatch)) == 0
    said = capsys.readouterr()
    assert "7 records do not match their topic's schema" in said.err
    assert "Zyxwv" not in said.err + said.out
    assert outputs(site.read()) == left_over(NOTES)


@parquet_alone
def test_entities_are_counted_by_label_from_the_audit_topic(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = make_site("entities")
    topics.send([SampleNote(number) for number in range(5)])
    assert main(words(site, monkeypatch, "--entities")) == 0
    place = NAMES.index("entities")
    assert [row[place] for row in site.read()] == [{}] * 5


@parquet_alone
def test_empty_topics_are_an_empty_table_and_topics_made_anew_are_refused(
    topics: OutputTopics,
    make_site: "Callable[[str], TableSite]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = make_site("made anew")
    assert main(words(site, monkeypatch)) == 0
    assert "0 records read; 0 rows written" in capsys.readouterr().err
    topics.send(NOTES)
    assert main(words(site, monkeypatch)) == 0
    rows, digest = site.read(), site.digest()
    topics.make_anew()
    assert main(words(site, monkeypatch)) == 78
    assert "the topic was created again; begin a new table" in capsys.readouterr().err
    assert (site.read(), site.digest()) == (rows, digest)


FOLLOWING = """
import sys
from deidstream.agents.cli.main import main
from deidstream.agents.tables import table_export
table_export.WRITE_SECONDS = 0.3
sys.exit(main(sys.argv[1:]))
"""


def read_while_written(site: TableSite) -> dict[object, object]:
    """Return the output of each note, or none where a file was replaced while it was read.

    A note that moves to another month may be in two files for a moment. DuckDB opens a file twice,
    for its columns and for its rows, and fails where they are of two files.
    """
    try:
        return {row[0]: row[1] for row in site.read()}
    except duckdb.Error:
        return {}


def test_it_follows_the_topics_shows_figures_and_ends_in_order(
    topics: OutputTopics, tmp_path: Path
) -> None:
    site, port = parquet_site(tmp_path / "followed"), free_port()
    command = [
        sys.executable,
        "-c",
        FOLLOWING,
        "export",
        *site.words,
        "--follow",
        "--port",
        f"{port}",
    ]
    process = start(command, log=tmp_path / "log")
    try:
        wait_until((tmp_path / "followed/manifest.json").exists, seconds=40)
        for part in (NOTES[:50], NOTES[50:]):
            topics.send(part)
            wait_until(lambda: len(read_while_written(site)) > 0, seconds=20)
        wait_until(lambda: read_while_written(site) == left_over(NOTES), seconds=20)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            figures = answer.read().decode()
        assert 'deid_table_rows_total{change="written"}' in figures
        assert "deid_table_waiting 0.0" in figures
        process.send(signal.SIGTERM)
        assert process.wait(20) == 0
    finally:
        process.stop()
    assert outputs(site.read()) == left_over(NOTES)
    assert "rows written" in (tmp_path / "log").read_text()
    assert "leaked" not in (tmp_path / "log").read_text()
