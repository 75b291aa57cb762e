"""Builders of notes; everything in them is invented."""

from deidstream.schemas.note import PipelineStamp, RawNote


def stamp() -> PipelineStamp:
    """A pipeline stamp."""
    return PipelineStamp("0.1.0", ("known", "rules"), None, "e", "i", 1)


def note(number: int = 1, text: str = "Mr. John Zyxwv was seen.", patient: str = "P1") -> RawNote:
    """A note."""
    return RawNote(f"note-{number}", patient, text)
