"""The notes that were taken back, as Arrow: ids and precedence alone, so that none comes back."""

# pyarrow has no types.
# pyright: reportUnknownParameterType=false, reportAttributeAccessIssue=false

from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from deidstream.agents.tables.note_join import NoteState, RowChange

RETRACTED_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("note_id", "output_id", "precedence")]
)


def find_retracted(rows: pa.Table, note_ids: Collection[str]) -> dict[str, NoteState]:
    """Return what is known of those of the notes that were taken back."""
    sought = rows.filter(pc.is_in(rows["note_id"], pa.array(sorted(note_ids), pa.string())))
    return {
        row["note_id"]: NoteState(row["output_id"], row["precedence"], gone=True)
        for row in sought.to_pylist()
    }


def retracted_table(gone: Sequence[RowChange]) -> pa.Table:
    """Return retractions as rows."""
    rows = [
        {"note_id": one.note_id, "output_id": one.output_id, "precedence": one.precedence}
        for one in gone
    ]
    return pa.Table.from_pylist(rows, RETRACTED_SCHEMA)


def merge_retracted(rows: pa.Table, gone: Sequence[RowChange]) -> pa.Table:
    """Return rows with retractions in place of what they had of these notes, sorted by note."""
    fresh = retracted_table(gone)
    stays = rows.filter(pc.invert(pc.is_in(rows["note_id"], fresh["note_id"].combine_chunks())))
    return pa.concat_tables([stays.cast(RETRACTED_SCHEMA), fresh]).sort_by("note_id")
