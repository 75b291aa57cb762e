"""The table as Parquet files, one for each month in which notes were written.

A file depends on its rows alone: they are sorted by note, cut into row groups of one size and
written by fixed options without times. So a replay that changes no row changes no byte. (Another
version of pyarrow may write other bytes.)

A month that changes is written beside the old file and put in its place by renaming. The positions
are written last: after a crash in between, the records are read again, and give the same rows.
"""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

import contextlib
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from deidstream.agents.runtime.folder_lock import lock_folder
from deidstream.agents.tables.arrow_rows import SCHEMA, arrow_table
from deidstream.agents.tables.note_columns import (
    ENTITIES_COLUMN,
    MONTH_COLUMN,
    refuse_other_columns,
)
from deidstream.agents.tables.note_join import NoteState, RowChange, list_retractions
from deidstream.agents.tables.note_table import BUSY, Positions, Written
from deidstream.agents.tables.output_parts import Row
from deidstream.agents.tables.retracted_rows import (
    RETRACTED_SCHEMA,
    find_retracted,
    merge_retracted,
)
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.outcome import Place

GROUP_ROWS = 4_096
FILE_SCHEMA = SCHEMA.remove(SCHEMA.get_field_index(MONTH_COLUMN))
"""The month is in the name of the folder, where readers of partitioned tables expect it."""
_KEYS = ["note_id", "output_id", "precedence", ENTITIES_COLUMN]
_FORMAT = 1
_RETRACTED = "retracted.parquet"
_MANIFEST, _FILE, _NEW = "manifest.json", "notes.parquet", ".notes.parquet.new"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A row in a file: its month, its output and its entities."""

    month: str
    output_id: str
    precedence: str | None
    entities: Sequence[tuple[str, int]] | None


@dataclass(slots=True)
class _MonthChange:
    """The changes to the file of a month."""

    dropped: set[str] = field(default_factory=set[str])
    """Notes whose old row goes."""
    added: list[Row] = field(default_factory=list[Row], repr=False)
    """New rows, sorted by note."""


@dataclass(slots=True)
class ParquetTable:
    """The table in a folder: ``notes/month=2024-03/notes.parquet`` and so on."""

    folder: Path
    _lock: int = -1

    @classmethod
    def open(cls, folder: Path) -> "ParquetTable":
        """Open the table of a folder, or begin one.

        Raises:
            MissingArtefact: The folder cannot be made or written, or one of its files not read.
            InvalidSettings: Another process writes it, or another version has begun it.
        """
        table = cls(folder, lock_folder(folder, BUSY))
        try:
            for left in folder.glob(f"notes/*/{_NEW}"):
                left.unlink()
            for _, path in islice(table._files(), 1):
                refuse_other_columns(str(folder), [*pq.read_schema(path).names, MONTH_COLUMN])
        except (OSError, pa.ArrowInvalid) as error:
            table.close()
            msg = f"{folder}: the table cannot be opened: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        except InvalidSettings:
            table.close()
            raise
        return table

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        """Return the positions of the manifest.

        Raises:
            InvalidSettings: A newer version has written the manifest.
        """
        try:
            manifest: Any = orjson.loads((self.folder / _MANIFEST).read_bytes())
        except FileNotFoundError:
            return {}
        if manifest["format"] != _FORMAT:
            msg = f"{self.folder}: was written by a newer version"
            raise InvalidSettings(msg)
        topics: Mapping[str, Mapping[str, int]] = manifest["positions"]
        stored = {
            (topic, int(partition)): at
            for topic, partitions in topics.items()
            for partition, at in partitions.items()
        }
        return {place: at for place, at in stored.items() if place in places}

    def find(self, note_ids: Collection[str]) -> dict[str, NoteState]:
        """Return what the table has of each of these notes: its row, else that it is taken back."""
        found = find_retracted(self._read_retracted(), note_ids)
        for note_id, kept in self._locate(note_ids).items():
            # After a crash a note may have two rows: the older one goes with the next change.
            newest = max(kept, key=lambda each: each.precedence or "")
            found[note_id] = NoteState(newest.output_id, newest.precedence)
        return found

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        """Write the months that change, then the positions.

        Raises:
            OSError: A file cannot be written.
        """
        # Written first: a crash leaves rows that are deleted when the records are read again.
        self._remember(list_retractions(changes))
        months, written = self._sort_by_month(changes)
        fresh = {month: self._write_month(month, change) for month, change in months.items()}
        # Months that only lose rows go first, so that a note that moves is not in two.
        for month in sorted(months, key=lambda month: (bool(months[month].added), month)):
            self._put_in_place(month, fresh[month])
        self._write_manifest(positions)
        return written

    def close(self) -> None:
        """Release the folder, so that another process may write the table."""
        os.close(self._lock)

    def _path(self, month: str, name: str = _FILE) -> Path:
        return self.folder / "notes" / f"month={month}" / name

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in sorted(self.folder.glob(f"notes/month=*/{_FILE}")):
            yield path.parent.name.removeprefix("month="), path

    def _locate(self, note_ids: Collection[str]) -> dict[str, list[_Kept]]:
        """Find the rows of notes; after a crash a note may have one in two months."""
        found: defaultdict[str, list[_Kept]] = defaultdict(list)
        if not note_ids:
            return found
        sought = pa.array(sorted(note_ids))
        for month, path in self._files():
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(columns=_KEYS):
                    for row in batch.filter(pc.is_in(batch["note_id"], sought)).to_pylist():
                        kept = _Kept(
                            month, row["output_id"], row["precedence"], row[ENTITIES_COLUMN]
                        )
                        found[row["note_id"]].append(kept)
        return found

    def _sort_by_month(
        self, changes: Sequence[RowChange]
    ) -> tuple[dict[str, _MonthChange], Written]:
        """Return the changes to each month, without rows that are in the table already."""
        located = self._locate([change.note_id for change in changes])
        months: defaultdict[str, _MonthChange] = defaultdict(_MonthChange)
        rows = deleted = 0
        for change in changes:
            kept = located.get(change.note_id, [])
            if change.row is not None and _is_same(kept, change.row):
                continue
            for each in kept:
                months[each.month].dropped.add(change.note_id)
            if change.row is not None:
                months[str(change.row[MONTH_COLUMN])].added.append(change.row)
            rows += change.row is not None
            deleted += change.row is None and bool(kept)
        return dict(months), Written(rows, deleted)

    def _write_month(self, month: str, change: _MonthChange) -> bool:
        """Write the new file of a month beside the old one; return whether it has rows."""
        path = self._path(month, _NEW)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as sink:
            writer = _GroupWriter(sink)
            for table in self._merge_rows(month, change):
                writer.add(table)
            writer.close()
            sink.flush()
            os.fsync(sink.fileno())
        return writer.rows > 0

    def _merge_rows(self, month: str, change: _MonthChange) -> Iterator[pa.Table]:
        """Yield the rows of a month in the order of notes; both sides are sorted already."""
        added = arrow_table(change.added, FILE_SCHEMA)
        dropped = pa.array(sorted(change.dropped), pa.string())
        taken = 0
        if self._path(month).exists():
            with pq.ParquetFile(self._path(month)) as file:
                for group in range(file.num_row_groups):
                    old = file.read_row_group(group)
                    last = old["note_id"][-1].as_py()
                    upto = taken
                    while upto < len(change.added) and str(change.added[upto]["note_id"]) <= last:
                        upto += 1
                    stays = old.filter(pc.invert(pc.is_in(old["note_id"], dropped)))
                    both = pa.concat_tables([stays.cast(FILE_SCHEMA), added[taken:upto]])
                    yield both.sort_by("note_id")
                    taken = upto
        yield added[taken:]

    def _put_in_place(self, month: str, has_rows: bool) -> None:  # noqa: FBT001 - a fact, no option
        path = self._path(month)
        if has_rows:
            self._path(month, _NEW).replace(path)
            _sync_folder(path.parent)
            return
        path.unlink(missing_ok=True)
        self._path(month, _NEW).unlink()
        with contextlib.suppress(OSError):
            # A folder that somebody has put another file into stays.
            path.parent.rmdir()

    def _read_retracted(self) -> pa.Table:
        try:
            return pq.read_table(self.folder / _RETRACTED)
        except FileNotFoundError:
            return RETRACTED_SCHEMA.empty_table()

    def _remember(self, gone: Sequence[RowChange]) -> None:
        """Write the file of the notes that were taken back, if there are more of them."""
        if not gone:
            return
        fresh = self.folder / f".{_RETRACTED}.new"
        with fresh.open("wb") as file:
            pq.write_table(merge_retracted(self._read_retracted(), gone), file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / _RETRACTED)
        _sync_folder(self.folder)

    def _write_manifest(self, positions: Positions) -> None:
        topics: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for (topic, partition), at in sorted(positions.items()):
            topics[topic][str(partition)] = at
        text = orjson.dumps({"format": _FORMAT, "positions": topics}, option=orjson.OPT_INDENT_2)
        fresh = self.folder / f".{_MANIFEST}.new"
        with fresh.open("wb") as file:
            file.write(text + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / _MANIFEST)
        _sync_folder(self.folder)


@dataclass(slots=True)
class _GroupWriter:
    """Writes row groups of one size, however the rows come."""

    sink: Any
    rows: int = 0
    _pending: list[pa.Table] = field(default_factory=list[pa.Table])
    _held: int = 0
    _writer: Any = None

    def add(self, table: pa.Table) -> None:
        """Add rows behind those that were added."""
        self._pending.append(table)
        self._held += table.num_rows
        self.rows += table.num_rows
        if self._held >= GROUP_ROWS:
            self._write_groups(whole=False)

    def close(self) -> None:
        """Write the rest, and the end of the file."""
        self._write_groups(whole=True)
        if self._writer is not None:
            self._writer.close()

    def _write_groups(self, *, whole: bool) -> None:
        rows = pa.concat_tables(self._pending).combine_chunks()
        end = rows.num_rows if whole else rows.num_rows - rows.num_rows % GROUP_ROWS
        for start in range(0, end, GROUP_ROWS):
            self._open().write_table(rows[start : min(start + GROUP_ROWS, end)].combine_chunks())
        self._pending = [rows[end:]]
        self._held = rows.num_rows - end

    def _open(self) -> Any:  # noqa: ANN401 - pyarrow's writer has no types
        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self.sink, FILE_SCHEMA, compression="zstd", compression_level=3, version="2.6"
            )
        return self._writer


def _is_same(kept: Sequence[_Kept], row: Row) -> bool:
    """Return whether a note has one row, and this one: records of one output are equal."""
    if len(kept) != 1:
        return False
    old, entities = kept[0], row[ENTITIES_COLUMN]
    same_entities = dict(old.entities or ()) == (entities or {})
    return old.output_id == row["output_id"] and same_entities and old.month == row[MONTH_COLUMN]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
