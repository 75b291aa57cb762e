"""Write surrogates into HL7 v2 without its separators."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from deidstream.models.phi.hl7.message_grammar import Hl7Segment, escape, read_hl7
from deidstream.schemas.span import Replacement


def escape_in_hl7(text: str, replacements: Iterable[Replacement]) -> list[Replacement]:
    r"""Escape the signs of a message in the surrogates that go into it; none breaks a line.

    ``Ward & Sons`` becomes ``Ward \T\ Sons``. Surrogates outside of messages stay.

    Args:
        text: Of the note.
        replacements: Of the note.
    """
    segments = read_hl7(text)
    return [_escape(one, segments) for one in replacements]


def _escape(one: Replacement, segments: list[Hl7Segment]) -> Replacement:
    last = bisect_right(segments, one.span.start, key=_start_of) - 1
    if last < 0 or segments[last].end <= one.span.start:
        return one
    return replace(one, text=escape(one.text, segments[last].signs))


def _start_of(segment: Hl7Segment) -> int:
    return segment.start
