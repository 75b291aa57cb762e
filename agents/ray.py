"""De-identify the notes of a Ray dataset, by actors that load the models once each."""

# Ray comes with the cluster, and pyarrow has no types.
# pyright: reportMissingImports=false, reportUnknownParameterType=false

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deidstream.agents.deidentifier import Deidentifier
from deidstream.agents.settings import Settings
from deidstream.agents.tables.input_columns import InputColumns

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

GROUPS_OF_ACTOR = 64
_GROUP = "deidstream_group"


def deidentify(notes: "Dataset", *, actors: int, gpus: float = 0, **load: object) -> "Dataset":
    """De-identify a dataset, each row a note.

    All notes of a patient come to one call, which reads them all before it chooses the first
    surrogate, so that surrogates do not depend on how the dataset was divided.

    Args:
        notes: The rows.
        actors: How many actors, each with the models, a core and its share of ``gpus``.
        gpus: GPUs of an actor; a part of one is possible.
        load: The arguments of :class:`NoteDeidentifier`.

    Returns:
        One row for each row, with the columns of ``Deidentifier.deidentify_table``: filter by
        ``status`` for outputs and quarantined rows.
    """
    from ray.data import ActorPoolStrategy

    named = {"columns": load.get("columns"), "groups": actors * GROUPS_OF_ACTOR}
    grouped = notes.map_batches(number_patients, fn_kwargs=named, batch_format="pyarrow")
    return grouped.groupby(_GROUP).map_groups(
        NoteDeidentifier,
        fn_constructor_kwargs=load,
        batch_format="pyarrow",
        compute=ActorPoolStrategy(size=actors),
        num_cpus=1,
        num_gpus=gpus or None,
    )


def number_patients(batch: "pa.Table", columns: InputColumns | None, groups: int) -> "pa.Table":
    """Return rows with the number of a group, which has all rows of its patients.

    Raises:
        InvalidSettings: A column is missing.
    """
    columns = columns or InputColumns.guess(batch.schema.names)
    columns.check(batch.schema.names)
    patients = batch.column(columns.patient_id).to_pylist()
    # A hash of Python differs from process to process.
    numbers = [zlib.crc32(str(patient).encode("utf-8", "replace")) % groups for patient in patients]
    return batch.append_column(_GROUP, [numbers])


class NoteDeidentifier:
    """De-identifies batches of rows, for ``map_groups`` of Ray Data, in an actor."""

    def __init__(
        self,
        *,
        key: bytes | str,
        policy: str | None = None,
        redis_url: str | None = None,
        settings: Settings | None = None,
        columns: InputColumns | None = None,
        keep: Sequence[str] = (),
    ) -> None:
        """Load models, policy and key.

        Args:
            key: Path of a key file that every node has, or its 32 bytes.
            policy: Name of a shipped policy, or path of a policy file that every node has.
            redis_url: The Redis of the feed. Without it, each actor remembers for itself which
                surrogates of a patient are taken.
            settings: All other settings.
            columns: Which columns have the fields of a note; by default they are guessed by name.
            keep: Columns that the output has too, as they are: nobody looks at them for PHI.

        Raises:
            Refused: A policy, key, model, index or setting is missing or wrong.
            Unavailable: Redis cannot be reached.
        """
        self._columns, self._keep = columns, tuple(keep)
        self._deidentifier = Deidentifier.load(
            policy, key=key, redis_url=redis_url, settings=settings
        )

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Return one row for each row, with the columns of ``deidentify_table``.

        Raises:
            InvalidSettings: A column is missing or may not be kept.
        """
        return self._deidentifier.deidentify_table(batch, self._columns, keep=self._keep)
