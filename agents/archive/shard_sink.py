"""Where the outputs of shards go, whatever keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deidstream.agents.archive.shard_rows import ShardRows
from deidstream.agents.tables.output_parts import Row


@dataclass(frozen=True, slots=True)
class CommittedRows:
    """The rows of a shard, as they are read back."""

    notes: Sequence[Row] = field(repr=False)
    """With the columns of ``READ_BACK``."""
    others: Sequence[Row]


READ_BACK = ("note_id", "output_id", "text", "level", "policy_sha256", "key_version", "epoch")
"""Columns of the table of notes that a check reads."""


class ShardSink(Protocol):
    """Keeps the outputs of a job. Several processes may use it, each for other shards."""

    def prepare(self) -> None:
        """Make what is missing, before the first shard.

        Raises:
            MissingArtefact: It cannot be made.
            InvalidSettings: Something else is there.
            Unavailable: A database cannot be reached.
        """
        ...

    def commit(self, shard: int, rows: ShardRows) -> None:
        """Store the rows of a shard, all or none; a second time changes nothing.

        Raises:
            OSError: There is no room; nothing of the shard is stored.
            Unavailable: A database cannot be reached.
        """
        ...

    def read(self, shard: int, note_ids: Sequence[str]) -> CommittedRows:
        """Read the rows of a shard back; those of no shard that was committed are empty.

        Args:
            shard: Its number.
            note_ids: The pseudonyms of its notes.

        Raises:
            MissingArtefact: They cannot be read.
        """
        ...
