"""Explain notes by running them once more through the pipelines of a service."""

from dataclasses import dataclass, replace
from typing import Self

from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.service import Service
from deidstream.models.explanation.explain_run import PlaceQuestion, explain_run
from deidstream.models.explanation.explained_note import ExplainedNote
from deidstream.models.explanation.recorded_pipeline import RunRecord, record_runs
from deidstream.stream.redis.memory_store import TrialStore


@dataclass(frozen=True, slots=True)
class NoteExplainer:
    """Explains notes under the policies of a service; surrogates of other notes are left as they
    are, and those that a note is given here are given to the notes after it.
    """  # noqa: D205

    service: Service
    store: TrialStore

    @classmethod
    def of_service(cls, service: Service) -> Self:
        """Make an explainer that writes nothing to the store of a service."""
        return cls(service, TrialStore(service.store))

    async def explain(self, value: bytes, question: PlaceQuestion) -> ExplainedNote:
        """Bring a message to its outcome as the service does, and explain places of its text.

        It does not raise for what is wrong with a note. It waits while a store is unavailable.
        """
        record = RunRecord()
        own = self.service.tenant_pipelines
        recorded = {name: record_runs(one, record) for name, one in own.pipelines.items()}
        service = replace(
            self.service,
            pipeline=record_runs(self.service.pipeline, record),
            store=self.store,
            tenant_pipelines=TenantPipelines(own.tenants, dict(recorded)),
        )
        (outcome,) = await service.run([value])
        if not record.runs:
            return ExplainedNote(outcome)
        run = record.runs[-1]
        asked = None if question.names_none else question.find_places(run.note.text)
        return explain_run(run, outcome, asked)
