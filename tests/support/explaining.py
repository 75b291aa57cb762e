"""Explanations of notes whose spans are marked, or that pass a whole service."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from deidstream.agents.runtime.note_explainer import NoteExplainer
from deidstream.models.explanation.explain_replacement import explain_replacements
from deidstream.models.explanation.explain_run import PlaceQuestion
from deidstream.models.explanation.explained_note import ExplainedNote, ExplainedReplacement
from deidstream.models.explanation.recorded_pipeline import RecordedRun
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Detected
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import POSSIBLE, Span
from deidstream.schemas.wire import encode_note
from support.pipeline import service
from support.reversible_site import quick
from support.vault import World


@dataclass(frozen=True, slots=True)
class Listed:
    """A recognizer that reports the given terms, each where a text has it first."""

    name: str
    found: tuple[tuple[str, PhiLabel, float], ...] = ()

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        return [tuple(self._spans(note.text)) for note in notes]

    def _spans(self, text: str) -> list[Span]:
        places = ((text.find(term), term, label, score) for term, label, score in self.found)
        source = self.name if self.name in {"tagger", POSSIBLE} else f"{self.name}:test"
        return [
            Span(start, start + len(term), label, score, source)
            for start, term, label, score in places
            if start >= 0
        ]


def explained(
    note: str | RawNote, made: Pipeline | None = None, *, at: int | None = None, word: str = ""
) -> ExplainedNote:
    """What a service explains of a note; without a pipeline, one that runs no model."""
    own = note if isinstance(note, RawNote) else RawNote("n", "p", note)
    running = service(made or quick())
    try:
        explainer = NoteExplainer.of_service(running)
        question = PlaceQuestion(at, word or None)
        return asyncio.run(explainer.explain(encode_note(own), question))
    finally:
        running.lane.close()


def replacements(
    world: World, made: Replacer, notes: Sequence[Detected]
) -> list[list[ExplainedReplacement]]:
    """How the marked spans of notes are replaced, one note after another."""
    explanations: list[list[ExplainedReplacement]] = []
    for note in notes:
        planned = made.plan(note)
        allocation = made.allocate([planned])
        while world.answer(allocation):
            pass
        allocated = allocation.result()
        written = made.substitute(planned, allocated)
        run = RecordedRun(made.policy, made, allocated, written, written)
        explanations.append(explain_replacements(run))
    return explanations
