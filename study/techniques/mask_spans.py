"""DeI by any other de-identifier: the spans that it reported become ``XXXX``.

Source: Larbi et al., section 3, item 1. The spans are read from a file as ``deidstream evaluate
--predictions`` reads it; ``benchmarks/recognition`` writes such a file for Philter and others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.schemas.span import Span, sort_spans
from deidstream.study.survival.planted_misses import PlantedMiss
from deidstream.study.survival.survivors import MissFound, tell_fate
from deidstream.study.techniques.apply_policy import MASK
from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class MaskSpans:
    """Masks the spans of a file."""

    name: str
    spans: Mapping[str, Sequence[Span]] = field(repr=False)
    """By note id."""
    family: str = "suppression"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with its spans masked; one that the file does not name has no output."""
        for number, note in enumerate(notes):
            spans = self.spans.get(note.labelled.note.note_id)
            if spans is not None:
                yield Output(mask_spans(note.text, spans), number)

    def find_fates(self, misses: Sequence[PlantedMiss]) -> Iterator[MissFound]:
        """Yield what becomes of each identifier whose own spans the file had not had."""
        for miss in misses:
            place, text = miss.overlooked, miss.note.text
            found = [
                span
                for span in self.spans.get(miss.note.note_id, ())
                if span.end <= place.start or place.end <= span.start
            ]
            yield MissFound(place.label, tell_fate(miss.identifier, mask_spans(text, found)))


def mask_spans(text: str, spans: Sequence[Span]) -> str:
    """Mask spans of a text; those that overlap become one mask."""
    parts, at = list[str](), 0
    for span in sort_spans(spans):
        if span.start >= at:
            parts += [text[at : span.start], MASK]
        at = max(at, span.end)
    return "".join([*parts, text[at:]])
