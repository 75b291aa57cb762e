"""The note of the probe, and what its output must be; pure.

The note is fictional and always the same, so that tables of one row a note have one row of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from deidstream.schemas.note import RawNote

NOTE_ID = PATIENT_ID = "deidstream-probe"
NOTE_TYPE = "probe"
"""Readers of outputs can leave the probe out by this type."""


class ProbeResult(StrEnum):
    """What became of a probe: a closed list, as it labels a metric."""

    OK = "ok"
    DIFFERENT = "different"
    """An identifier was left, or text was lost."""
    LATE = "late"
    QUARANTINED = "quarantined"
    UNSENT = "unsent"
    """Kafka did not accept it."""


@dataclass(frozen=True, slots=True)
class ProbePiece:
    """A part of the probe's note."""

    text: str
    kind: str = ""
    """What it identifies; ``""``: nothing, so that the output must hold it."""


PIECES = (
    ProbePiece("Follow-up visit. The patient is well.\n\nPatient: "),
    ProbePiece("Ottoline Featherstone", "name"),
    ProbePiece("\nMRN: "),
    ProbePiece("88304417", "record number"),
    ProbePiece("\nPhone: "),
    ProbePiece("(419) 555-0142", "telephone number"),
    ProbePiece("\n\nMs. "),
    ProbePiece("Featherstone", "family name"),
    ProbePiece(
        " takes lisinopril 10 mg daily and metformin 500 mg twice a day.\n"
        "Blood pressure 128/76, pulse 72. No chest pain and no fever.\n"
        "Plan: continue the same medication and repeat the blood test."
    ),
)
_EXPECTED = re.compile(
    "".join("(.{1,80}?)" if piece.kind else re.escape(piece.text) for piece in PIECES), re.DOTALL
)


def make_probe(correlation: str, tenant: str) -> RawNote:
    """Return the note of a probe; its output is recognised by the correlation."""
    text = "".join(piece.text for piece in PIECES)
    return RawNote(
        NOTE_ID, PATIENT_ID, text, tenant=tenant, note_type=NOTE_TYPE, correlation=correlation
    )


def find_difference(output: Mapping[str, object]) -> str | None:
    """Return what is wrong with the output of a probe, without quoting it; ``None``: nothing.

    Args:
        output: Its record of ``notes.anonymized``.
    """
    text = str(output.get("text", ""))
    for piece in PIECES:
        if piece.kind and piece.text.casefold() in text.casefold():
            return f"the {piece.kind} is left in the output"
    if str(output.get("technique", "")).startswith("kneo"):
        # KNEO exchanges the sentences on purpose.
        return None
    if not _EXPECTED.fullmatch(text):
        return "text that identifies nobody was changed or lost"
    return None
