"""Build the explanation of a note from its recorded run and its outcome."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.models.detection.calibration import gather_evidence
from deidstream.models.explanation.explain_replacement import explain_replacements
from deidstream.models.explanation.explained_note import (
    ExplainedNote,
    ExplainedPlace,
    PlaceEnd,
    SpanDecision,
)
from deidstream.models.explanation.recorded_pipeline import RecordedRun
from deidstream.models.explanation.span_decisions import list_decisions
from deidstream.schemas.outcome import Outcome
from deidstream.schemas.span import Span, sort_spans

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, order=True)
class AskedPlace:
    """``[start, end)`` of a note that is to be explained."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlaceQuestion:
    """Which places of a note are to be explained; without any, those that were replaced."""

    at: int | None = None
    """Offset of a character, in code points: the word that holds it."""
    word: str | None = field(repr=False, default=None)
    """A word, or several: wherever it stands alone, in whatever case."""

    @property
    def names_none(self) -> bool:
        """Whether no place is named."""
        return self.at is None and self.word is None

    def find_places(self, text: str) -> list[AskedPlace]:
        """Return the named places in the text of a note, disjoint and in order."""
        found = [] if self.at is None else _find_word_at(text, self.at)
        return found if self.word is None else _find_words(text, self.word)


def _find_word_at(text: str, offset: int) -> list[AskedPlace]:
    """Return the word that holds a character, or the character; nothing outside of the text."""
    if not 0 <= offset < len(text):
        return []
    words = (AskedPlace(*word.span()) for word in _WORD.finditer(text))
    found = [word for word in words if word.start <= offset < word.end]
    return found or [AskedPlace(offset, offset + 1)]


def _find_words(text: str, wanted: str) -> list[AskedPlace]:
    words = r"\s+".join(map(re.escape, wanted.split()))
    found = re.finditer(rf"(?i)(?<!\w){words}(?!\w)", text) if words else ()
    return [AskedPlace(*one.span()) for one in found]


def explain_run(
    run: RecordedRun, outcome: Outcome, asked: Sequence[AskedPlace] | None = None
) -> ExplainedNote:
    """Explain places of a note.

    Args:
        run: The last run of the note.
        outcome: What it became.
        asked: Disjoint places of its text, in order; ``None``: those of the replaced spans.
    """
    text, detected = run.note.text, run.substituted.planned.detected
    if asked is None:
        asked = [AskedPlace(span.start, span.end) for span in detected.spans]
    replaced = explain_replacements(run)
    reported = gather_evidence(asked, detected.steps[0].spans)
    decided = list_decisions(detected, run.replacer.policy, asked)
    doubted = gather_evidence(asked, detected.doubts)
    places: list[ExplainedPlace] = []
    for place, reports, decisions, doubts in zip(asked, reported, decided, doubted, strict=True):
        touching = [
            one for one in replaced if one.span.start < place.end and place.start < one.span.end
        ]
        places.append(
            ExplainedPlace(
                start=place.start,
                end=place.end,
                text=text[place.start : place.end],
                ended=PlaceEnd.REPLACED if touching else _end_of_text(reports, decisions),
                reports=sort_spans(reports),
                decisions=decisions,
                replacements=tuple(touching),
                doubts=tuple(doubts),
            )
        )
    return ExplainedNote(
        outcome=outcome,
        note_id=run.note.note_id,
        text=text,
        policy=run.policy,
        places=tuple(places),
        kneo=run.rewritten.kneo,
    )


def _end_of_text(reports: Sequence[Span], decisions: Sequence[SpanDecision]) -> PlaceEnd:
    """Return why a place stays in the text."""
    if decisions:
        return PlaceEnd.DROPPED
    return PlaceEnd.POSSIBLE if reports else PlaceEnd.UNREPORTED
