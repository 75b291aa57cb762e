"""Set the notes of some patients aside."""

import hashlib
from collections.abc import Iterable

from deidstream.schemas.labelled import LabelledNote


def split_by_patient(
    notes: Iterable[LabelledNote], *, share: float, draw: str
) -> tuple[list[LabelledNote], list[LabelledNote]]:
    """Split notes by patient: another note of the same patient would reveal its names.

    A note without a patient counts as one of its own.

    Args:
        notes: Notes in any order, which both lists keep.
        share: Share of the patients set aside, 0 to 1; approximate, as each is drawn by itself.
        draw: Names the draw; the same patient is drawn alike under the same name only, so notes
            left by one draw must be split under another.

    Returns:
        The notes to learn from, and those set aside.
    """
    learnt: list[LabelledNote] = []
    aside: list[LabelledNote] = []
    for labelled in notes:
        patient = labelled.note.patient_id or labelled.note.note_id
        drawn = hashlib.sha256(f"{draw}:{patient}".encode()).digest()
        (aside if int.from_bytes(drawn[:4]) < share * 2**32 else learnt).append(labelled)
    return learnt, aside
