"""The command ``explain``: explain the notes of a file that hold what is asked for."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from deidstream.agents.note_files.note_source import NoteSource
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.note_explainer import NoteExplainer
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.models.explanation.explain_run import PlaceQuestion
from deidstream.models.explanation.explained_note import ExplainedNote
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import Rejected
from deidstream.stream.redis.memory_store import MemorySurrogateStore


@dataclass(frozen=True, slots=True)
class NoteChoice:
    """Which notes of a file are explained."""

    question: PlaceQuestion
    note_id: str | None = field(repr=False, default=None)
    """That of one note; ``None``: all that hold a place of the question."""

    def includes(self, value: bytes, *, limit_bytes: int) -> bool:
        """Return whether a message is to be explained; one that is no note has no place."""
        if self.note_id is None and self.question.names_none:
            return True
        try:
            note = read_message(value, limit_bytes=limit_bytes)
        except Rejected:
            return False
        holds = self.question.names_none or bool(self.question.find_places(note.text))
        return holds and self.note_id in {None, note.note_id}


async def explain_file(
    source: NoteSource, choice: PolicyChoice, wanted: NoteChoice
) -> AsyncIterator[ExplainedNote]:
    """Explain the notes of a file, in its order; what no one asks for is not run.

    Args:
        source: The notes.
        choice: The policies in force.
        wanted: Which notes, and which places of them.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    settings, pipelines = choice.settings, choice.tenant_pipelines()
    service = local_service(settings, choice.default, MemorySurrogateStore(), pipelines)
    explainer = NoteExplainer.of_service(service)
    try:
        for note in source.read():
            message = note.message
            if isinstance(message, bytes) and wanted.includes(
                message, limit_bytes=settings.worker.note_bytes
            ):
                yield await explainer.explain(message, wanted.question)
    finally:
        service.lane.close()
