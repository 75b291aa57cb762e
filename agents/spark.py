"""De-identify the notes of a Spark DataFrame, on its executors.

Executors need deidstream with the extra ``analytics``; Spark itself is theirs. The models are
loaded once in each Python worker, from its own installation: they are never sent.
"""

# Spark comes with the cluster, and pyarrow has no types.
# pyright: reportMissingImports=false, reportUnknownParameterType=false

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from deidstream.agents.deidentifier import Deidentifier
from deidstream.agents.settings import Settings
from deidstream.agents.tables.input_columns import InputColumns
from deidstream.agents.tables.note_batches import join_patients
from deidstream.agents.tables.note_columns import ColumnForm
from deidstream.agents.tables.outcome_rows import OUTCOME_COLUMNS, refuse_taken
from deidstream.schemas.extras import Extra, needing

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


_PARTITIONS = 200
"""As Spark has where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class _Door:
    """How each Python worker loads its :class:`Deidentifier`."""

    policy: str | None
    key: bytes | str = field(repr=False)
    redis_url: str | None = field(repr=False)
    settings: Settings


def deidentify(  # noqa: PLR0913 - those of Deidentifier.load and deidentify_table
    notes: "DataFrame",
    columns: InputColumns | None = None,
    *,
    key: bytes | str,
    policy: str | None = None,
    redis_url: str | None = None,
    settings: Settings | None = None,
    keep: Sequence[str] = (),
    partitions: int | None = None,
) -> "DataFrame":
    """De-identify a DataFrame, each row a note.

    All notes of a patient come to one task, which reads them all before it chooses the first
    surrogate, so that surrogates do not depend on how the DataFrame was divided.

    Args:
        notes: The rows; other columns are left out, unless they are kept.
        columns: Which columns have the fields of a note; by default they are guessed by name.
        key: Path of a key file that every executor has, or its 32 bytes, such as of a secret scope.
        policy: Name of a shipped policy, or path of a policy file that every executor has.
        redis_url: The Redis of the feed, which has the surrogates that were given away.
        settings: All other settings. Without them, a task has as many threads as it has cores.
        keep: Columns that the output has too, as they are: nobody looks at them for PHI.
        partitions: How many tasks share the notes; by default ``spark.sql.shuffle.partitions``.

    Returns:
        One row for each row, with the columns of ``Deidentifier.deidentify_table``: filter by
        ``status`` for outputs and quarantined rows.

    Raises:
        InvalidSettings: A column is missing or may not be kept.
    """
    names: list[str] = notes.columns
    columns = columns or InputColumns.guess(names)
    columns.check(names, keep)
    refuse_taken(keep)
    door = _Door(policy, key, redis_url, settings or Settings())
    wanted = list(dict.fromkeys([*keep, *columns.named().values()]))
    together = (
        notes.select(*wanted)
        .repartition(_count_partitions(notes, partitions), columns.patient_id)
        .sortWithinPartitions(columns.patient_id, columns.note_id)
    )
    task = partial(_deidentify_batches, door=door, columns=columns, keep=tuple(keep))
    return together.mapInArrow(task, _output_schema(notes.schema, keep))


def _count_partitions(notes: "DataFrame", wanted: int | None) -> int:
    """Return a number of partitions.

    Without one, adaptive execution joins partitions of few bytes: all notes of an archive of some
    megabytes would come to one task, however long they take.
    """
    stated = str(notes.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    # On Databricks it may be a word.
    return wanted or (int(stated) if stated.isdecimal() else _PARTITIONS)


def _deidentify_batches(
    batches: Iterator["pa.RecordBatch"], *, door: _Door, columns: InputColumns, keep: Sequence[str]
) -> Iterator["pa.RecordBatch"]:
    deidentifier = _load(door)
    for batch in join_patients(batches, columns.patient_id):
        yield deidentifier.deidentify_batch(batch, columns, keep=keep)


@cache
def _load(door: _Door) -> Deidentifier:
    """Load once in this Python worker, which Spark uses for many tasks."""
    from pyspark import TaskContext  # noqa: PLC0415

    context, settings = TaskContext.get(), door.settings
    if context is not None and not settings.model.threads:
        settings = replace(settings, model=replace(settings.model, threads=context.cpus()))
    return Deidentifier.load(door.policy, key=door.key, redis_url=door.redis_url, settings=settings)


def _output_schema(schema: "StructType", keep: Sequence[str]) -> "StructType":
    with needing(Extra.SPARK, "deidstream.agents.spark"):
        from pyspark.sql.types import (  # noqa: PLC0415
            DoubleType,
            StringType,
            StructField,
            StructType,
        )
    kinds = {ColumnForm.TEXT: StringType(), ColumnForm.NUMBER: DoubleType()}
    made = [
        StructField(column.name, kinds[column.form], column.nullable) for column in OUTCOME_COLUMNS
    ]
    return StructType([*(schema[name] for name in keep), *made])
