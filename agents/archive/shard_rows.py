"""What the notes of a shard become: rows of the table of notes, and rows of all others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from deidstream.agents.archive.job_folder import ShardRecord
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.tables.note_columns import Column, ColumnForm
from deidstream.agents.tables.output_parts import PartKind, Row, read_part
from deidstream.models.keyring import join_prefixed
from deidstream.models.risk.levels_by_share import OwnRanks
from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, Retracted
from deidstream.schemas.wire import encode_anonymized, encode_risk

DUPLICATE = Failed(Reason.DUPLICATE_ID, Stage.DECODE, field=NoteField.NOTE_ID)
"""The outcome of a row that has the id of another one, if nothing says which of them is meant."""


class OtherStatus(StrEnum):
    """Why a row of the input has no row in the table of notes."""

    QUARANTINED = "quarantined"
    RETRACTED = "retracted"
    """The input takes the note back."""
    SUPERSEDED = "superseded"
    """The input has a newer row of the note, or the same row once more."""


OTHER_COLUMNS = (
    Column("place", ColumnForm.WHOLE, "Number of the line, row or file in the input, from 1."),
    Column("status", ColumnForm.TEXT, "quarantined, retracted or superseded."),
    Column("reason", ColumnForm.TEXT, "Why the note is in quarantine.", nullable=True),
    Column("stage", ColumnForm.TEXT, "The stage that found the reason.", nullable=True),
    Column("field", ColumnForm.TEXT, "The field that is wrong, if one is.", nullable=True),
    Column("attachment", ColumnForm.TEXT, "Why an attachment cannot be read.", nullable=True),
    Column("note_id", ColumnForm.TEXT, "Pseudonym of a note that is taken back.", nullable=True),
    Column("output_id", ColumnForm.TEXT, "Names the retraction.", nullable=True),
    Column("precedence", ColumnForm.TEXT, "Of the version taken back.", nullable=True),
)
"""The columns of the table ``quarantine``: a row for each row of the input without an output."""


@dataclass(slots=True)
class ShardRows:
    """The outcomes of a shard as rows."""

    notes: list[Row] = field(default_factory=list[Row], repr=False)
    others: list[Row] = field(default_factory=list[Row])
    levels: Counter[str] = field(default_factory=Counter[str])
    quarantined: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, int] = field(default_factory=dict[str, int])
    _waiting: list[Anonymized] = field(default_factory=list[Anonymized], repr=False)
    """Notes whose levels are by their share of the shard."""

    def add(self, notes: Sequence[InputNote], outcomes: Sequence[Outcome]) -> None:
        """Add the outcomes of notes."""
        for note, outcome in zip(notes, outcomes, strict=True):
            if isinstance(outcome, Anonymized) and outcome.ranking:
                self._waiting.append(outcome)
            elif isinstance(outcome, Anonymized):
                self._add_output(outcome)
            elif isinstance(outcome, Retracted):
                names = ("note_id", "output_id", "precedence")
                stated = {name: getattr(outcome, name) for name in names}
                self._add_other(note.place, OtherStatus.RETRACTED, stated)
            else:
                self._add_failed(note.place, outcome)

    def add_superseded(self, place: int) -> None:
        """Add a row of the input that another one stands in place of."""
        self._add_other(place, OtherStatus.SUPERSEDED, {})

    def finish(self) -> None:
        """Rank the notes whose levels wait for it, and sort all rows.

        Neither levels nor the order depend on the order of the input.
        """
        for outcome in OwnRanks().rank(self._waiting):
            assert isinstance(outcome, Anonymized)  # noqa: S101 - it was one
            self._add_output(outcome)
        self._waiting.clear()
        self.notes.sort(key=lambda row: str(row["note_id"]))
        self.others.sort(key=_place_of)

    def count(self, status: OtherStatus) -> int:
        """Count rows of the input without an output."""
        return sum(row["status"] == status for row in self.others)

    def record(self, shard: int, fingerprint: str, seconds: float) -> ShardRecord:
        """Return what the shard has become."""
        return ShardRecord(
            shard=shard,
            fingerprint=fingerprint,
            notes=len(self.notes) + len(self.others),
            outputs=len(self.notes),
            levels=dict(self.levels),
            retracted=self.count(OtherStatus.RETRACTED),
            superseded=self.count(OtherStatus.SUPERSEDED),
            quarantined=dict(self.quarantined),
            first=self.first,
            digest=digest_rows(self.notes, self.others),
            seconds=round(seconds, 1),
        )

    def _add_output(self, outcome: Anonymized) -> None:
        self.notes.append(note_row(outcome))
        self.levels[outcome.risk.level.value] += 1

    def _add_failed(self, place: int, failed: Failed) -> None:
        why = f"{failed.reason} at {failed.stage}"
        why += f", field {failed.field}" if failed.field else ""
        self.quarantined[why] += 1
        self.first[why] = min(self.first.get(why, place + 1), place + 1)
        stated = {
            "reason": failed.reason.value,
            "stage": failed.stage.value,
            "field": failed.field.value if failed.field else None,
            "attachment": failed.fault.value if failed.fault else None,
        }
        self._add_other(place, OtherStatus.QUARANTINED, stated)

    def _add_other(self, place: int, status: OtherStatus, stated: Mapping[str, object]) -> None:
        empty: Row = {column.name: None for column in OTHER_COLUMNS}
        self.others.append({**empty, **stated, "place": place + 1, "status": status.value})


def note_row(outcome: Anonymized) -> Row:
    """Return the row that ``deidstream export`` makes of the records of an outcome."""
    note = read_part(PartKind.NOTE, encode_anonymized(outcome.note))
    risk = read_part(PartKind.RISK, encode_risk(outcome))
    return {"entities": None} | note.columns | risk.columns


def digest_rows(notes: Sequence[Row], others: Sequence[Row]) -> str:
    """Return a digest of rows, whatever their order: of ids, texts and levels, and of places."""
    parts = sorted(
        join_prefixed(*(str(row[name]) for name in ("note_id", "output_id", "text", "level")))
        for row in notes
    )
    places = sorted(
        join_prefixed(*(str(row[name]) for name in ("place", "status", "reason"))) for row in others
    )
    return sha256(join_prefixed(*parts, b"others", *places)).hexdigest()


def _place_of(row: Row) -> int:
    place = row["place"]
    assert isinstance(place, int)  # noqa: S101 - we have written it
    return place
