"""The table as a Delta Lake table, partitioned by the month in which notes were written.

Each commit of the log states the positions that it reaches as application transactions, one for
each partition of a topic, as the Delta protocol has them for idempotent writers (section
"Transaction Identifiers").
"""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from deltalake import CommitProperties, DeltaTable, QueryBuilder, Transaction
from deltalake.exceptions import CommitFailedError, DeltaError

from deidstream.agents.runtime.folder_lock import lock_folder
from deidstream.agents.runtime.full_disk import raise_if_full
from deidstream.agents.tables.arrow_rows import SCHEMA, arrow_table
from deidstream.agents.tables.note_columns import (
    ENTITIES_COLUMN,
    MONTH_COLUMN,
    NAMES,
    refuse_other_columns,
)
from deidstream.agents.tables.note_join import NoteState, RowChange, list_retractions
from deidstream.agents.tables.note_table import BUSY, Positions, Written
from deidstream.agents.tables.retracted_rows import RETRACTED_SCHEMA, retracted_table
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.outcome import Place

_GONE = "gone"
"""Column of the changes alone: the note is taken back."""
_NULLABLE = pa.schema([field.with_nullable(nullable=True) for field in SCHEMA])
_CHANGES = _NULLABLE.append(pa.field(_GONE, pa.bool_()))
_SAME = (
    "kept.output_id = new.output_id "
    f"AND (kept.{ENTITIES_COLUMN} IS NULL) = (new.{ENTITIES_COLUMN} IS NULL)"
)
"""Two rows of one output are equal, unless only one of them was made with entities."""
_OUTPUTS = "SELECT note_id, output_id, precedence FROM notes"
_RETRACTED = "_retracted"
"""Folder of the notes that were taken back; readers of Delta pass over such names."""
_COMMENT = "De-identified notes, one row each; written by 'deidstream export delta'."


@dataclass(slots=True)
class DeltaNotes:
    """The table of notes in a folder of Delta Lake."""

    folder: str
    _lock: int

    @classmethod
    def open(cls, folder: Path) -> "DeltaNotes":
        """Open the table of a folder, or begin one.

        Raises:
            MissingArtefact: The folder cannot be made or written.
            InvalidSettings: Another process writes it, or it holds another table.
        """
        path, lock = str(folder), lock_folder(folder, BUSY)
        try:
            if not DeltaTable.is_deltatable(path):
                DeltaTable.create(
                    path,
                    schema=_NULLABLE,
                    partition_by=[MONTH_COLUMN],
                    name="notes",
                    description=_COMMENT,
                )
            columns = [field.name for field in DeltaTable(path).schema().fields]
            refuse_other_columns(path, columns)
        except (DeltaError, OSError) as error:
            os.close(lock)
            raise_if_full(error)
            msg = f"{folder}: cannot be opened as a Delta table: {type(error).__name__}"
            raise InvalidSettings(msg) from None
        except InvalidSettings:
            os.close(lock)
            raise
        return cls(path, lock)

    def positions(self, places: Collection[Place]) -> dict[Place, int]:
        """Return the positions that the log states."""
        table = DeltaTable(self.folder)
        stated = {place: table.transaction_version(_name(place)) for place in places}
        return {place: at for place, at in stated.items() if at is not None}

    def find(self, note_ids: Collection[str]) -> dict[str, NoteState]:
        """Return what the table has of each of these notes: its row, else that it is taken back."""
        found: dict[str, NoteState] = {}
        if not note_ids:
            return found
        sought = pa.array(sorted(note_ids))
        for folder in (self._retracted, self.folder):
            if not DeltaTable.is_deltatable(folder):
                continue
            query = QueryBuilder().register("notes", DeltaTable(folder))
            for batch in pa.RecordBatchReader.from_stream(query.execute(_OUTPUTS)):
                keys = batch.cast(RETRACTED_SCHEMA)
                for row in keys.filter(pc.is_in(keys["note_id"], sought)).to_pylist():
                    gone = folder == self._retracted
                    state = NoteState(row["output_id"], row["precedence"], gone=gone)
                    found[row["note_id"]] = state
        return found

    @property
    def _retracted(self) -> str:
        return f"{self.folder}/{_RETRACTED}"

    def _remember(self, gone: Sequence[RowChange]) -> None:
        if not gone:
            return
        if not DeltaTable.is_deltatable(self._retracted):
            DeltaTable.create(self._retracted, schema=RETRACTED_SCHEMA, name="retracted")
        columns = {name: f"new.{name}" for name in RETRACTED_SCHEMA.names}
        (
            DeltaTable(self._retracted)
            .merge(
                retracted_table(gone),
                "kept.note_id = new.note_id",
                source_alias="new",
                target_alias="kept",
            )
            .when_matched_update(columns)
            .when_not_matched_insert(columns)
            .execute()
        )

    def apply(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        """Merge changes in one commit, which states the positions.

        Raises:
            Unavailable: Another commit, such as a compaction, came between; nothing was written.
            OSError: There is no room; nothing was written.
        """
        try:
            # Written first: a crash leaves rows that go when the records are read again.
            self._remember(list_retractions(changes))
            return self._commit(changes, positions)
        except CommitFailedError:
            away = "the end of the Delta log"
            raise Unavailable(away) from None
        except (DeltaError, OSError) as error:
            raise_if_full(error)
            raise

    def _commit(self, changes: Sequence[RowChange], positions: Positions) -> Written:
        table = DeltaTable(self.folder)
        stated = [Transaction(_name(place), at) for place, at in sorted(positions.items())]
        commit = CommitProperties(app_transactions=stated)
        if not changes:
            table.create_write_transaction(
                [], "append", table.schema(), [MONTH_COLUMN], commit_properties=commit
            )
            return Written()
        columns = {f'"{name}"': f'new."{name}"' for name in NAMES}
        merged = (
            table.merge(
                _changes_table(changes),
                "kept.note_id = new.note_id",
                source_alias="new",
                target_alias="kept",
                commit_properties=commit,
            )
            .when_matched_delete(f"new.{_GONE}")
            .when_matched_update(columns, f"NOT new.{_GONE} AND NOT ({_SAME})")
            .when_not_matched_insert(columns, f"NOT new.{_GONE}")
            .execute()
        )
        rows = merged["num_target_rows_inserted"] + merged["num_target_rows_updated"]
        return Written(rows, merged["num_target_rows_deleted"])

    def close(self) -> None:
        """Release the folder, so that another process may write the table."""
        os.close(self._lock)


def _name(place: Place) -> str:
    topic, partition = place
    return json.dumps(["deidstream", topic, partition])


def _changes_table(changes: Sequence[RowChange]) -> pa.Table:
    kept = arrow_table((each.row for each in changes if each.row is not None), _NULLABLE)
    gone = [each.note_id for each in changes if each.row is None]
    rows = kept.append_column(_GONE, pa.array([False] * kept.num_rows))
    ends = pa.table(
        {"note_id": gone, _GONE: [True] * len(gone)},
        pa.schema([_CHANGES.field("note_id"), _CHANGES.field(_GONE)]),
    )
    return pa.concat_tables([rows, ends], promote_options="default").select(_CHANGES.names)
