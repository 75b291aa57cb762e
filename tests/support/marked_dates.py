"""Notes whose dates stand in brackets, and how they move."""

from deidstream.models.mention import Mention
from deidstream.models.operators.shift_date import ShiftDate
from deidstream.models.surrogates.mentions import mentions
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


def told(marked: str, authored_at: str | None = None) -> tuple[str, tuple[Mention, ...]]:
    """A note whose dates stand in brackets, and its mentions."""
    text, spans = "", []
    for place, piece in enumerate(marked.replace("]", "[").split("[")):
        if place % 2:
            spans.append(Span(len(text), len(text) + len(piece), PhiLabel.DATE))
        text += piece
    note = RawNote("note", "patient", text, tenant="t", authored_at=authored_at)
    return text, mentions(note, spans)


def shifted(marked: str, days: int) -> str:
    """The note with its dates moved."""
    operator = ShiftDate()
    written = marked
    for mention in told(marked)[1]:
        surrogates = dict.fromkeys(operator.identities(mention), f"{days:+d}")
        written = written.replace(f"[{mention.text}]", operator.render(mention, surrogates), 1)
    return written
