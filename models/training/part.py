"""Keep some patients' notes apart from those that a tagger learns from."""

import hashlib
from collections.abc import Iterable

from deidstream.schemas.labelled import LabelledNote


def parted(
    notes: Iterable[LabelledNote], *, share: float, draw: str
) -> tuple[list[LabelledNote], list[LabelledNote]]:
    """Part notes by patient: a note of the same patient would give its names away.

    A note without a patient counts as one of its own.

    Args:
        notes: In any order, which both parts keep.
        share: Of the patients that are kept apart, 0 to 1; about, as each is drawn by itself.
        draw: Names the draw; the same patient is drawn alike under the same name only, so notes
            left by one draw must be parted under another.

    Returns:
        The notes to learn from, and those kept apart.
    """
    kept: list[LabelledNote] = []
    apart: list[LabelledNote] = []
    for labelled in notes:
        whose = labelled.note.patient_id or labelled.note.note_id
        drawn = hashlib.sha256(f"{draw}:{whose}".encode()).digest()
        (apart if int.from_bytes(drawn[:4]) < share * 2**32 else kept).append(labelled)
    return kept, apart
