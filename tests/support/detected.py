"""Notes whose PHI is given, as detection hands them on."""

from collections.abc import Collection, Sequence

from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.records import Detected
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


def as_detected(
    note: RawNote,
    spans: Sequence[Span] = (),
    finished: Collection[str] = (),
    *,
    doubts: Sequence[Span] = (),
    cleared: Sequence[Span] = (),
) -> Detected:
    """A note in which these spans were found."""
    return Detected(
        note,
        tuple(spans),
        frozenset(finished),
        Hl7Guard.read(note.text),
        doubts=tuple(doubts),
        cleared=tuple(cleared),
    )
