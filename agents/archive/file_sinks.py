"""Outputs as files of Parquet or JSONL: two for each shard, which get their names when whole."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.agents.archive.shard_rows import OTHER_COLUMNS, ShardRows
from deidstream.agents.archive.shard_sink import READ_BACK, CommittedRows
from deidstream.agents.runtime.full_disk import raise_if_full
from deidstream.agents.tables.arrow_rows import SCHEMA, arrow_table, make_schema
from deidstream.agents.tables.note_columns import NAMES
from deidstream.agents.tables.output_parts import Row
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

GROUP_ROWS = 4_096
OTHER_SCHEMA = make_schema(OTHER_COLUMNS)
NOTES, QUARANTINE = "notes", "quarantine"
"""The folders of the two tables."""


def _write_parquet(path: Path, rows: Sequence[Row], schema: pa.Schema) -> None:
    try:
        pq.write_table(
            arrow_table(rows, schema), path, compression="zstd", row_group_size=GROUP_ROWS
        )
    except pa.ArrowException as error:
        raise_if_full(error)
        raise


def _write_jsonl(path: Path, rows: Sequence[Row], schema: pa.Schema) -> None:
    del schema
    with path.open("wb") as file:
        for row in rows:
            ordered = {name: row[name] for name in (NAMES if "text" in row else row)}
            file.write(orjson.dumps(ordered) + b"\n")


def _read_parquet(path: Path, columns: Sequence[str]) -> list[Row]:
    rows: list[Row] = pq.ParquetFile(path).read(columns=list(columns)).to_pylist()
    return rows


def _read_jsonl(path: Path, columns: Sequence[str]) -> list[Row]:
    lines = path.read_bytes().splitlines()
    return [{name: row[name] for name in columns} for row in map(orjson.loads, lines)]


@dataclass(frozen=True, slots=True)
class FileForm:
    """How rows become a file, and are read back."""

    ending: str
    write: Callable[[Path, Sequence[Row], pa.Schema], None]
    read: Callable[[Path, Sequence[str]], list[Row]]


PARQUET = FileForm("parquet", _write_parquet, _read_parquet)
JSONL = FileForm("jsonl", _write_jsonl, _read_jsonl)
_SCHEMAS: Mapping[str, pa.Schema] = MappingProxyType({NOTES: SCHEMA, QUARANTINE: OTHER_SCHEMA})


@dataclass(frozen=True, slots=True)
class FileSink:
    """The folders ``notes`` and ``quarantine`` of an archive, with a file of each shard."""

    folder: Path
    fingerprint: str
    form: FileForm

    def prepare(self) -> None:
        """Make the folders.

        Raises:
            MissingArtefact: They cannot be made.
            InvalidSettings: They hold outputs of another job.
        """
        try:
            for name in _SCHEMAS:
                (self.folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{self.folder}: cannot be made: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        for path in (self.folder / NOTES).glob("part-*"):
            if self.fingerprint not in path.name:
                msg = f"{self.folder}: has outputs of another job; name another folder"
                raise InvalidSettings(msg)

    def commit(self, shard: int, rows: ShardRows) -> None:
        """Write both files beside their places, and then rename them.

        Raises:
            OSError: There is no room; nothing of the shard is stored.
        """
        listed = {NOTES: rows.notes, QUARANTINE: rows.others}
        fresh = {name: self._fresh_path(name, shard) for name in listed}
        try:
            for name, path in fresh.items():
                self.form.write(path, listed[name], _SCHEMAS[name])
                _force(path)
        except OSError:
            for path in fresh.values():
                path.unlink(missing_ok=True)
            raise
        for name, path in fresh.items():
            path.replace(self.path(name, shard))
            _force(path.parent)

    def read(self, shard: int, note_ids: Sequence[str]) -> CommittedRows:
        """Read the files of a shard.

        Raises:
            MissingArtefact: One is damaged.
        """
        del note_ids
        others = [column.name for column in OTHER_COLUMNS]
        return CommittedRows(
            self._read(NOTES, shard, READ_BACK), self._read(QUARANTINE, shard, others)
        )

    def path(self, name: str, shard: int) -> Path:
        """Return the file of a shard in one of the folders."""
        return self.folder / name / f"part-{shard:06}-{self.fingerprint}.{self.form.ending}"

    def _fresh_path(self, name: str, shard: int) -> Path:
        # Readers of folders leave out names that begin with a dot. One process has the shard: what
        # another one has left there that was killed is overwritten.
        path = self.path(name, shard)
        return path.with_name(f".{path.name}.new")

    def _read(self, name: str, shard: int, columns: Sequence[str]) -> list[Row]:
        path = self.path(name, shard)
        if not path.exists():
            return []
        try:
            return self.form.read(path, columns)
        except (OSError, ValueError, KeyError, pa.ArrowException) as error:
            msg = f"{path}: cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None


def _force(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
