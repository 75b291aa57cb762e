"""Every kind of table: rows by key, unchanged rows untouched, positions with the rows."""

import random
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from deidstream.agents.runtime.full_disk import FULL
from deidstream.agents.tables import note_columns
from deidstream.agents.tables.note_columns import COLUMNS
from deidstream.agents.tables.note_join import NoteState
from deidstream.agents.tables.note_table import Written
from deidstream.agents.tables.parquet_table import ParquetTable
from deidstream.agents.tables.postgres_table import PostgresTable
from deidstream.schemas.errors import InvalidSettings, Unavailable
from support.output_records import (
    SampleNote,
    Versions,
    changes_of,
    export_into,
    history,
    left_over,
)
from support.postgres import Postgres
from support.table_sites import (
    TableSite,
    delta_site,
    duckdb_site,
    opened,
    outputs,
    parquet_site,
    postgres_site,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = [pytest.mark.postgres, pytest.mark.slow]
PLACES = (("notes.anonymized", 0), ("notes.risk", 1))
POSITIONS = {PLACES[0]: 7, PLACES[1]: 2**40}


@pytest.fixture(params=["parquet", "duckdb", "delta", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> TableSite:
    kinds: Mapping[str, Callable[[Path], TableSite]] = {
        "parquet": parquet_site,
        "duckdb": duckdb_site,
        "delta": delta_site,
        "postgres": lambda _: postgres_site(request.getfixturevalue("postgres")),
    }
    return kinds[request.param](tmp_path)


def test_a_new_table_is_empty_and_keeps_what_it_gets(site: TableSite) -> None:
    notes = [SampleNote(number) for number in range(20)]
    with opened(site) as table:
        assert table.positions(PLACES) == {}
        assert table.apply(changes_of(notes), POSITIONS) == Written(20, 0)
    with opened(site) as table:
        assert table.positions(PLACES) == POSITIONS
        assert table.positions(PLACES[:1]) == {PLACES[0]: 7}
        wanted = [notes[3].note_id, notes[5].note_id, "0" * 31 + "x"]
        found = {n.note_id: NoteState(n.output_id) for n in (notes[3], notes[5])}
        assert table.find(wanted) == found
    assert outputs(site.read()) == left_over(notes)


@pytest.mark.parametrize("kind", ["parquet", "duckdb", "delta"])
def test_a_full_disk_is_said_and_nothing_is_half_written(kind: str, tmp_path: Path) -> None:
    sites = {"parquet": parquet_site, "duckdb": duckdb_site, "delta": delta_site}
    site, notes = sites[kind](tmp_path), [SampleNote(number) for number in range(300)]
    with opened(site) as table:
        table.apply(changes_of(notes[:2]), POSITIONS)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(site) as table:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large") as caught:
                table.apply(changes_of(notes[2:]), {PLACES[0]: 9})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.errno in FULL
    with opened(site) as table:
        assert table.positions(PLACES) == POSITIONS
        assert table.apply(changes_of(notes[2:]), {PLACES[0]: 9}) == Written(298, 0)
    assert outputs(site.read()) == left_over(notes)


def test_every_column_comes_back(site: TableSite) -> None:
    (change,) = changes_of([SampleNote(5)])
    assert change.row is not None
    row = change.row | {"entities": {"DATE": 2, "PATIENT": 1}, "kneo": '{"units":3}'}
    with opened(site) as table:
        table.apply([type(change)(change.note_id, change.output_id, row)], POSITIONS)
    (stored,) = site.read()
    for column, value in zip(COLUMNS, stored, strict=True):
        given = (
            dict(value) if isinstance(value, list) and column.form.endswith("by name") else value
        )
        assert given == row[column.name], column.name


def test_corrections_replace_cancels_delete_and_months_move(site: TableSite) -> None:
    notes = history(25)
    with opened(site) as table:
        for start in range(0, len(notes), 5):
            table.apply(changes_of(notes[start : start + 5]), POSITIONS)
    assert outputs(site.read()) == left_over(notes)


def test_what_is_there_already_is_not_touched(site: TableSite) -> None:
    notes = [SampleNote(number) for number in range(30)]
    with opened(site) as table:
        table.apply(changes_of(notes), POSITIONS)
    before = site.digest()
    with opened(site) as table:
        assert table.apply(changes_of(notes), {PLACES[0]: 99}) == Written()
        assert table.apply([], {PLACES[0]: 100}) == Written()
        assert table.positions(PLACES)[PLACES[0]] == 100
    assert site.digest() == before


def test_a_cancel_of_a_note_that_is_not_there_does_nothing(site: TableSite) -> None:
    with opened(site) as table:
        assert table.apply(changes_of([SampleNote(1, 2, cancelled=True)]), POSITIONS) == Written()
        table.apply(changes_of([SampleNote(1)]), POSITIONS)
        gone = changes_of([SampleNote(1, 2, cancelled=True)])
        assert table.apply(gone, POSITIONS) == Written(0, 1)
    assert site.read() == []


def test_parquet_files_depend_on_their_rows_alone(tmp_path: Path) -> None:
    notes = history(60)
    digests: set[str] = set()
    for seed, size in enumerate((7, 40, 1_000)):
        site = parquet_site(tmp_path / str(seed))
        with opened(site) as table:
            for start in range(0, len(notes), size):
                table.apply(changes_of(notes[start : start + size]), POSITIONS)
        digests.add(site.digest())
    assert len(digests) == 1


def test_large_months_are_cut_into_groups_of_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deidstream.agents.tables.parquet_table.GROUP_ROWS", 4)
    notes = [SampleNote(number * 14 + 3) for number in range(30)]
    whole, pieces = parquet_site(tmp_path / "whole"), parquet_site(tmp_path / "pieces")
    with opened(whole) as table:
        table.apply(changes_of(notes), POSITIONS)
    with opened(pieces) as table:
        for note in random.Random(3).sample(notes, len(notes)):
            table.apply(changes_of([note]), POSITIONS)
    assert whole.digest() == pieces.digest()
    assert outputs(whole.read()) == left_over(notes)


def test_one_process_writes_a_table(postgres: Postgres, tmp_path: Path) -> None:
    folders = (parquet_site(tmp_path / "parquet"), delta_site(tmp_path / "delta"))
    for each in (*folders, postgres_site(postgres)):
        with opened(each), pytest.raises(InvalidSettings, match="another process"):
            each.open()


def test_of_exporters_that_begin_a_schema_together_one_goes_on(postgres: Postgres) -> None:
    def begin(_: int) -> PostgresTable | str:
        try:
            return PostgresTable.open(postgres.url, 'begun "at" once')
        except InvalidSettings as refused:
            return str(refused)

    with ThreadPoolExecutor(8) as pool:
        ends = list(pool.map(begin, range(8)))
    opened_ones = [one for one in ends if isinstance(one, PostgresTable)]
    assert len(opened_ones) == 1
    assert all("another process" in one for one in ends if isinstance(one, str))
    opened_ones[0].close()


def test_a_table_that_lacks_a_column_is_refused(
    site: TableSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(site) as table:
        table.apply(changes_of([SampleNote(1)]), POSITIONS)
    before = site.digest()
    monkeypatch.setattr(note_columns, "NAMES", (*note_columns.NAMES, "added_later"))
    with pytest.raises(InvalidSettings, match="lacks the column added_later"):
        site.open()
    monkeypatch.undo()
    with opened(site) as table:
        assert table.positions(PLACES) == POSITIONS
    assert site.digest() == before


def test_a_lost_connection_is_unavailable_and_a_changed_table_wrong(postgres: Postgres) -> None:
    site = postgres_site(postgres)
    with opened(site) as table, psycopg.connect(postgres.url, autocommit=True) as owner:
        owner.execute(f"ALTER TABLE {site.words[1]}.notes ADD CHECK (text = 'x')".encode())
        with pytest.raises(InvalidSettings, match="CheckViolation") as refused:
            table.apply(changes_of([SampleNote(1)]), POSITIONS)
        assert SampleNote(1).note_id not in str(refused.value)
        query = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
        owner.execute(query)
        with pytest.raises(Unavailable):
            table.find(["0" * 32])
        with pytest.raises(Unavailable):
            table.positions(PLACES)


def test_a_file_beside_those_of_a_month_does_not_keep_its_rows(tmp_path: Path) -> None:
    site = parquet_site(tmp_path)
    with opened(site) as table:
        table.apply(changes_of([SampleNote(1)]), POSITIONS)
        (month,) = tmp_path.glob("notes/month=*")
        (month / ".DS_Store").touch()
        table.apply(changes_of([SampleNote(1, 1, cancelled=True)]), POSITIONS)
    assert site.read() == []


def test_columns_of_postgres_are_commented_and_readers_need_only_select(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        PostgresTable.open(postgres.url, "told").close()
        said = connection.execute(
            "SELECT col_description('told.notes'::regclass, 1), "
            "obj_description('told.notes'::regclass)"
        ).fetchone()
        assert said is not None
        assert said[0].startswith("Keyed pseudonym of the note")
        assert said[1].startswith("De-identified notes")
        connection.execute("CREATE ROLE writer LOGIN; CREATE ROLE stranger LOGIN")
        connection.execute("GRANT USAGE ON SCHEMA told TO writer")
        connection.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA told TO writer"
        )
        connection.execute("GRANT TEMPORARY ON DATABASE postgres TO writer")
    table = PostgresTable.open(postgres.url_of("writer"), "told")
    assert table.apply(changes_of([SampleNote(1)]), POSITIONS) == Written(1, 0)
    table.close()
    with pytest.raises(InvalidSettings, match="lacks a right"):
        PostgresTable.open(postgres.url_of("stranger"), "other")


def crash_after(files: int) -> "Callable[[ParquetTable, str, bool], None]":
    """Put files in place as a table does, but end the process before one of them."""
    put_in_place = ParquetTable._put_in_place  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    left = iter(range(files - 1))

    def put(table: ParquetTable, month: str, has_rows: bool) -> None:  # noqa: FBT001 - as there
        if next(left, None) is None:
            raise KeyboardInterrupt
        put_in_place(table, month, has_rows)

    return put


def test_parquet_survives_a_crash_between_two_months(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, notes = parquet_site(tmp_path), history(40)
    with opened(site) as table:
        table.apply(changes_of(notes[:40]), POSITIONS)
    for crash_at in (1, 4, 7):
        with monkeypatch.context() as patch, opened(site) as table:
            patch.setattr(ParquetTable, "_put_in_place", crash_after(crash_at))
            with pytest.raises(KeyboardInterrupt):
                table.apply(changes_of(notes), {PLACES[0]: 99})
        with opened(site) as table:
            assert table.positions(PLACES) == POSITIONS
    with opened(site) as table:
        table.apply(changes_of(notes), {PLACES[0]: 99})
    whole = parquet_site(tmp_path / "whole")
    with opened(whole) as table:
        table.apply(changes_of(notes), POSITIONS)
    assert outputs(site.read()) == left_over(notes)
    assert site.digest() == whole.digest()


def test_a_command_with_duckdb_says_nothing_but_its_own_words(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deidstream.agents", "export", "duckdb", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert run.returncode == 78
    (line,) = run.stderr.splitlines()
    assert "cannot be opened by DuckDB" in line


def test_whatever_comes_last_the_newest_version_stays(site: TableSite) -> None:
    versions, seen = Versions.make(25), set[str]()
    for number in range(3):
        mixed = random.Random(number)
        with opened(site) as table:
            export_into(table, versions.interleave(mixed), mixed)
        assert outputs(site.read()) == versions.newest()
        seen.add(repr(site.read()))
    assert len(seen) == 1


def test_what_is_taken_back_stays_away_and_a_newer_version_comes(site: TableSite) -> None:
    first, again = SampleNote(1, stated=True), SampleNote(1, 3, stated=True)
    gone = SampleNote(1, 2, cancelled=True, stated=True)
    mixed = random.Random(0)
    # It is taken back before the table has seen it.
    for came, left in (([gone], {}), ([first], {}), ([again], left_over([again]))):
        with opened(site) as table:
            export_into(table, came, mixed)
        assert outputs(site.read()) == left
    with opened(site) as table:
        export_into(table, [gone, first], mixed)
    assert outputs(site.read()) == left_over([again])


def test_a_retraction_without_a_version_is_of_what_was_there(site: TableSite) -> None:
    old, first = SampleNote(1, stated=True), SampleNote(1, 1, stated=True)
    gone, newer = SampleNote(1, 5, cancelled=True), SampleNote(1, 2, stated=True)
    mixed = random.Random(0)
    for came, left in ((first, [first]), (gone, []), (first, []), (old, []), (newer, [newer])):
        with opened(site) as table:
            export_into(table, [came], mixed)
        assert outputs(site.read()) == left_over(left)
