"""The outcome of a note as a row: whatever became of the note, it has one."""

from collections.abc import Sequence
from enum import StrEnum

from deidstream.agents.tables.note_columns import Column, ColumnForm
from deidstream.agents.tables.output_parts import Row
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Failed, Outcome, Retracted


class RowStatus(StrEnum):
    """What became of a note."""

    ANONYMIZED = "anonymized"
    """Its row has the text."""
    QUARANTINED = "quarantined"
    """It did not pass: its row has a reason and neither text nor ids."""
    RETRACTED = "retracted"
    """The input takes the note back: its row has the ids of the rows that are no longer valid."""


def _optional(name: str, meaning: str, form: ColumnForm = ColumnForm.TEXT) -> Column:
    return Column(name, form, meaning, nullable=True)


OUTCOME_COLUMNS = (
    _optional("output_id", "Names the output; equal for equal notes under one policy and key."),
    _optional("note_id", "Pseudonym of the note."),
    _optional("patient_id", "Pseudonym of the patient."),
    Column("status", ColumnForm.TEXT, "anonymized, quarantined or retracted."),
    _optional("reason", "Why the note is in quarantine; null if it is not."),
    _optional("stage", "The stage that found the reason."),
    _optional("field", "The field of the note that is wrong, if one is."),
    _optional("level", "Risk level: green, yellow or red."),
    _optional("score", "The worst measure of the risk, from 0 to 1.", ColumnForm.NUMBER),
    _optional("rule", "What made the level: threshold, share or share-of-type."),
    _optional(
        "yellow_cut", "The score from which that rule makes a note yellow.", ColumnForm.NUMBER
    ),
    _optional("red_cut", "The score from which that rule makes a note red.", ColumnForm.NUMBER),
    _optional("note_type", "Type of the note, if it is of ordinary words."),
    _optional("authored_at", "When the note was written, shifted as its dates are."),
    _optional("language", "Code of the language of the text."),
    _optional("precedence", "Greater for a newer version of the note, as text; tells no time."),
    _optional("correlation", "As the sender chose it."),
    _optional("text", "The de-identified text."),
)
"""The columns that the outcome of each note fills."""


def refuse_taken(keep: Sequence[str]) -> None:
    """Refuse to keep a column whose name one of ours has.

    Raises:
        InvalidSettings: There is one.
    """
    ours = {column.name for column in OUTCOME_COLUMNS}
    taken = [name for name in keep if name in ours]
    if taken:
        msg = f"the outputs have a column {taken[0]!r} of their own: rename that of the input"
        raise InvalidSettings(msg)


def outcome_row(outcome: Outcome) -> Row:
    """Return the row of an outcome, with each of its columns."""
    row: Row = {column.name: None for column in OUTCOME_COLUMNS}
    if isinstance(outcome, Failed):
        return row | {
            "status": RowStatus.QUARANTINED.value,
            "reason": outcome.reason.value,
            "stage": outcome.stage.value,
            "field": None if outcome.field is None else outcome.field.value,
            "correlation": outcome.correlation,
        }
    if isinstance(outcome, Retracted):
        names = ("output_id", "note_id", "patient_id", "precedence")
        shared = {name: getattr(outcome, name) for name in names}
        return row | shared | {"status": RowStatus.RETRACTED.value}
    note, cuts = outcome.note, outcome.risk.cuts
    return row | {
        "output_id": note.output_id,
        "note_id": note.note_id,
        "patient_id": note.patient_id,
        "status": RowStatus.ANONYMIZED.value,
        "level": outcome.risk.level.value,
        "score": outcome.risk.score,
        "rule": outcome.risk.rule.value,
        "yellow_cut": cuts.yellow if cuts else None,
        "red_cut": cuts.red if cuts else None,
        "note_type": note.note_type,
        "authored_at": note.authored_at,
        "language": note.language,
        "precedence": note.precedence,
        "correlation": note.correlation,
        "text": note.text,
    }
