"""The columns of the table of notes, with what each means and where it comes from."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.data_dictionary import list_fields
from deidstream.schemas.errors import InvalidSettings


class ColumnForm(StrEnum):
    """What a column holds; each table writes it in a type of its own."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    TEXTS = "texts"
    NUMBERS = "numbers by name"
    COUNTS = "whole numbers by name"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table of notes."""

    name: str
    form: ColumnForm
    meaning: str
    nullable: bool = False


_MEANINGS = {
    topic: {field.path: field.meaning for field in list_fields(contract)}
    for topic, contract in CONTRACTS.items()
}


def _column(
    name: str,
    path: str = "",
    form: ColumnForm = ColumnForm.TEXT,
    topic: str = "notes.anonymized",
    *,
    nullable: bool = False,
) -> Column:
    return Column(name, form, _MEANINGS[topic][path or name], nullable)


def _risk(name: str, form: ColumnForm = ColumnForm.TEXT) -> Column:
    return _column(name, form=form, topic="notes.risk")


COLUMNS = (
    _column("note_id"),
    _column("output_id"),
    _column("patient_id"),
    _column("status", nullable=True),
    _column("precedence", nullable=True),
    _column("correlation", nullable=True),
    _column("text"),
    _column("language", nullable=True),
    _column("note_type", nullable=True),
    _column("authored_at", nullable=True),
    Column("month", ColumnForm.TEXT, "Year and month of authored_at; unknown where that is null."),
    _risk("level"),
    _risk("score", ColumnForm.NUMBER),
    _risk("measures", ColumnForm.NUMBERS),
    _risk("reasons", ColumnForm.TEXTS),
    _risk("method"),
    _risk("method_version", ColumnForm.WHOLE),
    _risk("rule"),
    _column("cuts", form=ColumnForm.NUMBERS, topic="notes.risk", nullable=True),
    Column(
        "entities",
        ColumnForm.COUNTS,
        "Replaced spans by label, from the audit topic; null where that is not read.",
        nullable=True,
    ),
    _column("technique"),
    _column("policy", "policy.name"),
    _column("policy_sha256", "policy.sha256"),
    _column("release", "policy.release", nullable=True),
    _column("version", "pipeline.version"),
    _column("recognizers", "pipeline.recognizers", ColumnForm.TEXTS),
    _column("tagger", "pipeline.tagger", nullable=True),
    _column("embedder", "pipeline.embedder", nullable=True),
    _column("index", "pipeline.index", nullable=True),
    _column("vectors", "pipeline.vectors", nullable=True),
    _column("key_version", "pipeline.key_version", ColumnForm.WHOLE),
    _column("mapping", "pipeline.mapping"),
    _column("epoch", "pipeline.epoch", ColumnForm.WHOLE),
    _column("changes", form=ColumnForm.COUNTS, nullable=True),
    Column("kneo", ColumnForm.TEXT, "What KNEO did with the note, as JSON.", nullable=True),
)
"""In the order in which tables have them."""
NAMES = tuple(column.name for column in COLUMNS)
ENTITIES_COLUMN, MONTH_COLUMN = "entities", "month"


def refuse_other_columns(where: str, found: Collection[str]) -> None:
    """Refuse a table that lacks a column; it may have others that analysts have added.

    The column is not added here: rows that do not change are not written again, so that it would
    stay empty in most of them.

    Raises:
        InvalidSettings: It is another table, or one that another version has begun.
    """
    missing = [name for name in NAMES if name not in found]
    if missing:
        msg = f"{where}: lacks the column {missing[0]}: it is another table, or another version"
        msg += " wrote it; begin a new table, which the topics fill again"
        raise InvalidSettings(msg)
